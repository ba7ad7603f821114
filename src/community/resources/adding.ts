import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { htmlOf } from "#platform/markup";
import { announce } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { signedIn } from "#community/friends";
import { groupToChange } from "#community/groups";
import { groupRules, resourceRules, type SignedIn, type Viewer } from "#community/rules";
import type { NewComment, NewDocument, NewFile, NewLink } from "./forms.ts";
import type { ResourceKind } from "./library.ts";
import { resourceFor } from "./resource.ts";

export type Upload = { hash: string; size: number; mime: string; fileName: string; width?: number; height?: number; alt?: string };

/** Writes down a file that storage keeps; it belongs to nobody but the viewer until something is made of it. */
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

/** A name for saving under: no path, no control characters. */
const nameOf = (given: string) =>
  given
    .replace(/^.*[\\/]/, "")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .slice(-200) || "file";

type Common = Pick<z.output<typeof NewLink>, "title" | "why" | "tags" | "groupId" | "language" | "licence">;
type Special = { kind: ResourceKind; url?: string; body?: string; uploadId?: string };

/** Adds a link. All three throw `not-found` for a group that may not be known of, and `not-allowed`. */
export const addLink = (tx: Tx, viewer: Viewer, input: z.output<typeof NewLink>) =>
  add(tx, viewer, input, { kind: "link", url: input.url });

export const addDocument = (tx: Tx, viewer: Viewer, input: z.output<typeof NewDocument>) =>
  add(tx, viewer, input, { kind: "document", body: input.body });

/** Makes a resource of a file that the viewer has uploaded; `invalid` on `uploadId` for any other. */
export async function addFile(tx: Tx, viewer: Viewer, input: z.output<typeof NewFile>): Promise<{ id: string }> {
  const me = signedIn(viewer);
  const free = await maybeOne(
    tx,
    sql`select from uploads where id = ${input.uploadId} and owner_id = ${me.id} and attached_kind is null for update`,
  );
  if (!free) throw invalid("uploadId", "That file has not arrived. Please choose it again.");
  const added = await add(tx, me, input, { kind: "file", uploadId: input.uploadId });
  await run(tx, sql`update uploads set attached_kind = 'resource', attached_id = ${added.id} where id = ${input.uploadId}`);
  return added;
}

async function add(tx: Tx, viewer: Viewer, input: Common, { kind, url, body = "", uploadId }: Special): Promise<{ id: string }> {
  const me = signedIn(viewer);
  await mayAdd(tx, me, input.groupId, kind);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into resources (id, kind, group_id, keeper_id, title, why, url, site_name, body_md, body_html, upload_id, tags, language, licence, created_at)
        values (${id}, ${kind}, ${input.groupId ?? null}, ${me.id}, ${input.title}, ${input.why}, ${url ?? null}, ${url ? new URL(url).hostname.replace(/^www\./, "") : ""},
          ${body}, ${htmlOf(body)}, ${uploadId ?? null}, ${input.tags}::text[], ${input.language}, ${input.licence}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into resource_versions (resource_id, version, by_id, body_md, upload_id, created_at) values (${id}, 1, ${me.id}, ${body}, ${uploadId ?? null}, ${tx.now})`,
  );
  await announce(tx, { type: "resource.added", resourceId: id, groupId: input.groupId ?? null, by: me.id });
  return { id };
}

async function mayAdd(tx: Tx, me: SignedIn, groupId: string | undefined, kind: ResourceKind) {
  if (groupId === undefined) {
    if (!resourceRules.addForEveryone(me, kind))
      throw new Refusal("not-allowed", "For now you can share links here. Files and documents come once you have been around for a while.");
    return;
  }
  const group = await groupToChange(tx, me, groupId, "read");
  if (!groupRules.addResource(me, group))
    throw new Refusal("not-allowed", group.state === "active" ? "Join the group to add to its library." : "This group is archived.");
}

/** Says something under a resource; stored once per `clientId`. Throws `not-found`, `not-allowed`. */
export async function comment(tx: Tx, viewer: Viewer, input: z.output<typeof NewComment>): Promise<{ id: string; number: number }> {
  const me = signedIn(viewer);
  const resource = await resourceFor(tx, me, input.resourceId);
  if (!resourceRules.comment(me, resource)) throw new Refusal("not-allowed", "Join the group to comment here.");
  // The next number is taken under a lock on the resource, so that two comments never want the same one.
  await run(tx, sql`select from resources where id = ${resource.id} for no key update`);
  const id = tx.newId();
  const written = await maybeOne(
    tx,
    sql<{ id: string; number: number }>`
      with written as (
        insert into posts (id, resource_id, number, author_id, body_md, body_html, client_id, created_at)
        select ${id}, ${resource.id}, coalesce(max(number), 0) + 1, ${me.id}, ${input.body}, ${htmlOf(input.body, id)}, ${input.clientId ?? null}, ${tx.now}
        from posts where resource_id = ${resource.id}
        on conflict (author_id, client_id) where client_id is not null do nothing
        returning id, number),
      counted as (update resources set comments_count = comments_count + 1 from written where resources.id = ${resource.id}),
      draft as (delete from drafts where person_id = ${me.id} and place = ${`resource:${resource.id}`})
      select id, number from written`,
  );
  if (!written)
    return one(
      tx,
      sql<{
        id: string;
        number: number;
      }>`select id, number from posts where author_id = ${me.id} and client_id = ${input.clientId ?? null}`,
    );
  await announce(tx, {
    type: "comment.written",
    resourceId: resource.id,
    groupId: resource.group?.id ?? null,
    postId: written.id,
    number: written.number,
    by: me.id,
  });
  return written;
}
