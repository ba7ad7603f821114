import { DAY, later } from "#platform/clock";
import { limit, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { renderDocument } from "#platform/markup";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { dropSent } from "#community/common";
import { writesNothing } from "#community/discussions";
import { signedIn } from "#community/friends";
import { groupToChange } from "#community/groups";
import { groupRules, isStaff, LIMITS, type ResourceKind, resourceRules, type SignedIn, type Viewer } from "#community/rules";
import { writingIsLimited } from "#community/settings";
import { normalisedAddress } from "./addresses.ts";
import type { NewDocument, NewFile, NewLink } from "./forms.ts";
import { assertMayKeep, tieToPost } from "./keeping.ts";
import { kindOfAddress, kindOfFile, siteOf } from "./kinds.ts";

export type Upload = { hash: string; size: number; mime: string; fileName: string; width?: number; height?: number; alt?: string };

/** Records a stored file as an upload, visible to the viewer only until it is used. */
export async function recordUpload(tx: Tx, viewer: Viewer, stored: Upload): Promise<{ id: string }> {
  const me = signedIn(viewer);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into uploads (id, owner_id, hash, size, mime, file_name, width, height, alt, created_at)
        values (${id}, ${me.id}, ${stored.hash}, ${stored.size}, ${stored.mime}, ${nameOf(stored.fileName)}, ${stored.width ?? null}, ${stored.height ?? null}, ${stored.alt ?? ""}, ${tx.now})`,
  );
  return { id };
}

/** A safe file name: no path, no control characters. */
const nameOf = (given: string) =>
  given
    .replace(/^.*[\\/]/, "")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .slice(-200) || "file";

type Common = Pick<z.output<typeof NewLink>, "title" | "why" | "tags" | "groupId" | "language" | "licence"> & {
  postId?: string | undefined;
};
type Special = { kind: ResourceKind; url?: string; body?: string; uploadId?: string };

/**
 * Adds a link, optionally saved from a post.
 * @throws `not-found` for a group the viewer may not know of, `not-allowed`, `invalid` on `groupId` for
 * content that must stay in its group, `too-many` above the daily limit; also for documents and files
 */
export const addLink = (tx: Tx, viewer: Viewer, input: z.output<typeof NewLink>) =>
  add(tx, viewer, input, { kind: kindOfAddress(input.url), url: input.url });

export async function addDocument(tx: Tx, viewer: Viewer, input: z.output<typeof NewDocument>): Promise<{ id: string }> {
  const added = await add(tx, viewer, input, { kind: "document", body: input.body });
  await run(tx, dropSent(signedIn(viewer).id, "new:resource", input));
  return added;
}

/**
 * Adds a file the viewer has uploaded.
 * @throws `invalid` on `uploadId` for any other upload
 */
export async function addFile(tx: Tx, viewer: Viewer, input: z.output<typeof NewFile>): Promise<{ id: string }> {
  const me = signedIn(viewer);
  const { mime } = await freeUpload(tx, me, input.uploadId);
  const added = await add(tx, me, input, { kind: kindOfFile(mime), uploadId: input.uploadId });
  await attach(tx, input.uploadId, added.id);
  return added;
}

/** An unused upload of the viewer's own, locked. */
export async function freeUpload(tx: Tx, me: SignedIn, uploadId: string): Promise<{ mime: string }> {
  const free = await maybeOne(
    tx,
    sql<{
      mime: string;
    }>`select mime from uploads where id = ${uploadId} and owner_id = ${me.id} and attached_kind is null and state <> 'quarantined' for update`,
  );
  if (!free) throw invalid("uploadId", "That file has not arrived. Please choose it again.");
  return free;
}

export const attach = (tx: Tx, uploadId: string, resourceId: string) =>
  run(tx, sql`update uploads set attached_kind = 'resource', attached_id = ${resourceId} where id = ${uploadId}`);

async function add(tx: Tx, viewer: Viewer, input: Common, { kind, url, body = "", uploadId }: Special): Promise<{ id: string }> {
  const me = signedIn(viewer);
  await mayAdd(tx, me, input.groupId, kind);
  await assertMayKeep(tx, me, input, kind);
  await assertFewAdded(tx, me);
  const id = tx.newId();
  const bodyHtml = await renderDocument(body);
  await run(
    tx,
    sql`insert into resources (id, kind, group_id, keeper_id, title, why, url, normal_url, site_name, body_md, body_html, upload_id, tags, language, licence, created_at)
        values (${id}, ${kind}, ${input.groupId ?? null}, ${me.id}, ${input.title}, ${input.why}, ${url ?? null}, ${url ? normalisedAddress(url) : null}, ${url ? siteOf(url) : ""},
          ${body}, ${bodyHtml}, ${uploadId ?? null}, ${input.tags}::text[], ${input.language}, ${input.licence}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into resource_versions (resource_id, version, by_id, body_md, upload_id, created_at) values (${id}, 1, ${me.id}, ${body}, ${uploadId ?? null}, ${tx.now})`,
  );
  await tieToPost(tx, me, id, input);
  await announce(tx, { type: "resource.added", resourceId: id, groupId: input.groupId ?? null, by: me.id });
  return { id };
}

async function mayAdd(tx: Tx, me: SignedIn, groupId: string | undefined, kind: ResourceKind) {
  const group = groupId === undefined ? null : await groupToChange(tx, me, groupId, "read");
  if (resourceRules.add(me, kind, group)) return;
  if (me.limited) throw writesNothing();
  if (group && !groupRules.addResource(me, group))
    throw new Refusal("not-allowed", group.state === "active" ? "Join the group to add to its library." : "This group is archived.");
  throw new Refusal("not-allowed", "For now you can share links here. Files and documents come once you have been around for a while.");
}

/** Serialized per person, so that two at once count as two. Staff are exempt. */
async function assertFewAdded(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me)) return;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('resources:' || ${me.id}::text, 0))`);
  const most = me.trust === "new" ? LIMITS.resources.newDay : LIMITS.resources.day;
  const { count } = await one(
    tx,
    sql<{ count: number }>`
      select case when ${writingIsLimited} then count(*)::int else 0 end as count
      from (select from resources where keeper_id = ${me.id} and created_at > ${later(tx.now, -DAY)} ${limit(most)}) few`,
  );
  if (count >= most) throw new Refusal("too-many", "That is enough for one day. Come back tomorrow.");
}
