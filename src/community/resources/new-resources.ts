import { DAY, addMilliseconds } from "#platform/clock";
import { limit, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { renderDocument } from "#platform/markup";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { deleteSentDraft } from "#community/common";
import {
  countLinks,
  limitedAccountRefusal,
  needsApproval,
  type PendingResult,
  storePendingPost,
} from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { getGroupToChange } from "#community/groups";
import {
  type GroupFacts,
  groupRules,
  isStaff,
  SERVER_LIMITS,
  type ResourceKind,
  resourceRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import {
  type ApprovalReason,
  checkWatchedWords,
  isRepeatedText,
  reportFlaggedText,
} from "#community/prevention";
import { hasWritingLimits } from "#community/settings";
import { normalizeAddress } from "./normalized-address.ts";
import type { NewDocument, NewFile, NewLink } from "./resource-inputs.ts";
import { assertCanSavePost, linkToPost } from "./saved-posts.ts";
import { kindFromAddress, kindFromMime, siteName } from "./resource-kinds.ts";

export type Upload = {
  hash: string;
  size: number;
  mime: string;
  fileName: string;
  width?: number;
  height?: number;
  alt?: string;
};

/** Records a stored file as an upload. Only the viewer can see it until it is used. */
export async function recordUpload(tx: Tx, viewer: Viewer, stored: Upload): Promise<{ id: string }> {
  const me = requireSignedIn(viewer);
  const id = tx.newId();
  await run(
    tx,
    sql`insert into uploads (id, owner_id, hash, size, mime, file_name, width, height, alt, created_at)
        values (${id}, ${me.id}, ${stored.hash}, ${stored.size}, ${stored.mime},
          ${cleanFileName(stored.fileName)}, ${stored.width ?? null}, ${stored.height ?? null},
          ${stored.alt ?? ""}, ${tx.now})`,
  );
  return { id };
}

/** Makes a file name safe: removes the path and control characters. */
const cleanFileName = (fileName: string) =>
  fileName
    .replace(/^.*[\\/]/, "")
    .replace(/\p{Cc}/gu, "")
    .trim()
    .slice(-200) || "file";

/** Texts of a resource that are checked for watched words. */
export const RESOURCE_TEXTS = ["title", "why", "tags", "body"] as const;

export type CommonInput = Pick<
  z.output<typeof NewLink>,
  "title" | "why" | "tags" | "groupId" | "language" | "licence"
> & {
  postId?: string | undefined;
};
export type KindInput = { kind: ResourceKind; url?: string; body?: string; uploadId?: string };

type AddedResource = { id: string };

/**
 * Adds a link, optionally saved from a post, or stores one that needs approval as a pending resource
 * (`waits`).
 * @throws `not-found` for a group the viewer may not know of, `not-allowed`, `invalid` on `groupId` for
 * content that must stay in its group, `too-many` above the daily limit and for too many pending resources;
 * also for documents and files
 */
export const addLinkOrAwaitApproval = (
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewLink>,
): Promise<AddedResource | PendingResult> =>
  addResource(tx, viewer, input, { kind: kindFromAddress(input.url), url: input.url });

export async function addDocumentOrAwaitApproval(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewDocument>,
): Promise<AddedResource | PendingResult> {
  const added = await addResource(tx, viewer, input, { kind: "document", body: input.body });
  await run(tx, deleteSentDraft(requireSignedIn(viewer).id, "new:resource", input));
  return added;
}

/**
 * Adds a file the viewer has uploaded.
 * @throws `invalid` on `uploadId` for any other upload
 */
export async function addFileOrAwaitApproval(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewFile>,
): Promise<AddedResource | PendingResult> {
  const me = requireSignedIn(viewer);
  const { mime } = await lockUnusedUpload(tx, me, input.uploadId);
  return addResource(tx, me, input, { kind: kindFromMime(mime), uploadId: input.uploadId });
}

/**
 * Like `addLinkOrAwaitApproval`, for clients that cannot show a pending resource.
 * @throws `not-allowed` for a resource that needs approval
 */
export const addLink = async (tx: Tx, viewer: Viewer, input: z.output<typeof NewLink>) =>
  requireAdded(await addLinkOrAwaitApproval(tx, viewer, input));
/** Like `addLink`, for a document. */
export const addDocument = async (tx: Tx, viewer: Viewer, input: z.output<typeof NewDocument>) =>
  requireAdded(await addDocumentOrAwaitApproval(tx, viewer, input));
/** Like `addLink`, for a file. */
export const addFile = async (tx: Tx, viewer: Viewer, input: z.output<typeof NewFile>) =>
  requireAdded(await addFileOrAwaitApproval(tx, viewer, input));

function requireAdded(it: AddedResource | PendingResult): AddedResource {
  if ("waits" in it)
    throw new Refusal(
      "not-allowed",
      "This resource needs approval. Add it on the website, where it can wait for approval.",
    );
  return it;
}

/** Locks an unused upload of the viewer. */
export async function lockUnusedUpload(tx: Tx, me: SignedIn, uploadId: string): Promise<{ mime: string }> {
  const free = await maybeOne(
    tx,
    sql<{
      mime: string;
    }>`select mime from uploads where id = ${uploadId} and owner_id = ${me.id} and attached_kind is null
      and state <> 'quarantined' for update`,
  );
  if (!free) throw invalid("uploadId", "The file did not arrive. Choose it again.");
  return free;
}

export const attachUpload = (tx: Tx, uploadId: string, resourceId: string) =>
  run(
    tx,
    sql`update uploads set attached_kind = 'resource', attached_id = ${resourceId} where id = ${uploadId}`,
  );

async function addResource(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: CommonInput & { draftVersion?: number | undefined },
  { kind, url, body: givenBody = "", uploadId }: KindInput,
): Promise<AddedResource | PendingResult> {
  const me = requireSignedIn(viewer);
  const group = await assertCanAdd(tx, me, uncheckedInput.groupId, kind);
  const { input, flagged, ...checked } = await checkWatchedWords(
    tx,
    me,
    { ...uncheckedInput, body: givenBody },
    RESOURCE_TEXTS,
    { canWait: true, addresses: { url } },
  );
  await assertCanSavePost(tx, me, input, kind);
  await assertAddLimit(tx, me);
  const fields = { kind, url, body: input.body, uploadId };
  const text = {
    linksOut: countLinks(`${input.why}\n\n${input.body}`) + (url ? 1 : 0),
    isResource: true,
  };
  const waitsFor =
    checked.waitsFor ?? ((await isRepeatedResource(tx, me, { ...input, url })) ? { kind: "repeat" } : null);
  if (await needsApproval(tx, me, { moderate: resourceRules.moderate(me, { group }) }, text, waitsFor))
    return storePendingResource(tx, me, input, fields, waitsFor);
  const added = await insertResource(tx, me, input, fields);
  await reportFlaggedText(tx, me.id, flagged, { resourceId: added.id });
  return added;
}

/**
 * Whether another new account sent the same text or description, under whatever title, or the same resource with
 * its title and address.
 */
const isRepeatedResource = (
  tx: Tx,
  me: SignedIn,
  { title, why, body, url }: { title: string; why: string; body: string; url: string | undefined },
): Promise<boolean> => {
  const whole = [title, why, url ? normalizeAddress(url) : "", body].join("\n");
  return isRepeatedText(tx, me, body, why, whole);
};

/** Stores the resource until a moderator decides. Its file is attached to the pending entry. */
async function storePendingResource(
  tx: Tx,
  me: SignedIn,
  input: CommonInput & { draftVersion?: number | undefined },
  fields: KindInput & { body: string },
  reason: ApprovalReason | null,
): Promise<PendingResult> {
  const { title, why, tags, language, licence, groupId, postId, draftVersion } = input;
  return storePendingPost(
    tx,
    me,
    { libraryOf: groupId ?? null },
    { title, tags, body: fields.body, draftVersion, resource: { ...fields, why, language, licence, postId } },
    {
      html: await renderDocument(fields.body),
      pictures: fields.uploadId ? [fields.uploadId] : [],
      plain: [],
    },
    reason,
  );
}

/** Stores a resource with its first version, and attaches its file. The caller has checked permission. */
export async function insertResource(
  tx: Tx,
  me: SignedIn,
  input: CommonInput,
  { kind, url, body = "", uploadId }: KindInput,
): Promise<AddedResource> {
  const id = tx.newId();
  const bodyHtml = await renderDocument(body);
  await run(
    tx,
    sql`insert into resources (id, kind, group_id, owner_id, title, why, url, normal_url, site_name, body_md,
      body_html, upload_id, tags, language, licence, created_at)
        values (${id}, ${kind}, ${input.groupId ?? null}, ${me.id}, ${input.title}, ${input.why},
          ${url ?? null}, ${url ? normalizeAddress(url) : null}, ${url ? siteName(url) : ""},
          ${body}, ${bodyHtml}, ${uploadId ?? null}, ${input.tags}::text[], ${input.language},
          ${input.licence}, ${tx.now})`,
  );
  await run(
    tx,
    sql`insert into resource_versions (resource_id, version, by_id, body_md, upload_id, created_at)
      values (${id}, 1, ${me.id}, ${body}, ${uploadId ?? null}, ${tx.now})`,
  );
  await linkToPost(tx, me, id, input);
  if (uploadId) await attachUpload(tx, uploadId, id);
  await emit(tx, { type: "resource.added", resourceId: id, groupId: input.groupId ?? null, by: me.id });
  return { id };
}

/** Asserts that the viewer may add a resource of this kind. Returns its group; null for a site-wide one. */
export async function assertCanAdd(
  tx: Tx,
  me: SignedIn,
  groupId: string | undefined,
  kind: ResourceKind,
): Promise<GroupFacts | null> {
  const group = groupId === undefined ? null : await getGroupToChange(tx, me, groupId, "read");
  if (resourceRules.add(me, kind, group)) return group;
  if (me.limited) throw limitedAccountRefusal();
  if (group && !groupRules.addResource(me, group))
    throw new Refusal(
      "not-allowed",
      group.state === "active" ? "Join the group to add to its library." : "This group is archived.",
    );
  throw new Refusal(
    "not-allowed",
    "New members can share links. Files and documents follow after a few days.",
  );
}

/**
 * Asserts the daily limit; staff are exempt. A lock serializes a person's additions, so that two concurrent
 * ones are both counted.
 */
async function assertAddLimit(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me)) return;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('resources:' || ${me.id}::text, 0))`);
  const most = me.trust === "new" ? SERVER_LIMITS.resources.newDay : SERVER_LIMITS.resources.day;
  const { count } = await one(
    tx,
    sql<{ count: number }>`
      select case when ${hasWritingLimits} then count(*)::int else 0 end as count
      from (select from resources
        where owner_id = ${me.id} and created_at > ${addMilliseconds(tx.now, -DAY)} ${limit(most)}) few`,
  );
  if (count >= most) throw new Refusal("too-many", "You have reached today's limit. Come back tomorrow.");
}
