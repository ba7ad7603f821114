import { DAY, addMilliseconds } from "#platform/clock";
import { limit, one, run, sql, type Tx } from "#platform/database";
import { renderDocument } from "#platform/markup";
import { msg } from "#platform/messages";
import { keysOf } from "#platform/objects";
import { emit } from "#platform/outbox";
import { invalid, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { writeAudit } from "#community/audit";
import { deleteSentDraft } from "#community/common";
import { addsUnapprovedLinks, countLinks } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import {
  firstPostRules,
  isStaff,
  resourceRules,
  type SignedIn,
  type Viewer,
  SERVER_LIMITS,
} from "#community/rules";
import { checkWatchedWords, reportFlaggedText } from "#community/prevention";
import { hasWritingLimits } from "#community/settings";
import { normalizeAddress } from "./normalized-address.ts";
import { attachUpload, lockUnusedUpload, RESOURCE_TEXTS } from "./new-resources.ts";
import type { NewFileVersion, ResourceChange, VersionRestore } from "./resource-inputs.ts";
import { kindFromAddress, kindFromMime, siteName } from "./resource-kinds.ts";
import { assertCanEditHiddenResource, markResourceVisible } from "./resource-hiding.ts";
import { resubmitReturnedResource } from "./returned-resources.ts";
import { getResourceForUpdate } from "./resource.ts";
import { type Resource } from "./resource-columns.ts";

type ResourceEditInput = { resourceId: string; changes: number; reason: string };
type Sql = ReturnType<typeof sql>;
/** Content of a new version. */
type VersionContent = { body: string; uploadId: string | null; note: string; restoredFrom: number | null };

/**
 * Edits a resource: description, link address, or a document's text, which adds a version. Omitted fields
 * stay unchanged; an equal value changes nothing. A reason is required for another owner's resource, unless
 * it is an open document.
 * @throws `not-found`, `gone`, `not-allowed`, `invalid` on `reason`, `conflict` if changed since `changes`,
 * `too-many`
 */
export async function editResource(
  tx: Tx,
  viewer: Viewer,
  uncheckedInput: z.output<typeof ResourceChange>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getEditableResource(tx, me, uncheckedInput);
  const { input, flagged } = await checkWatchedWords(tx, me, uncheckedInput, RESOURCE_TEXTS, {
    before: { ...it, body: it.bodyMd },
    canWait: false,
    addresses: { url: uncheckedInput.url },
  });
  const opens = resourceRules.open(me, it) ? (input.editsBy ?? it.editsBy) : it.editsBy;
  const texts = {
    title: input.title ?? it.title,
    why: input.why ?? it.why,
    tags: input.tags ?? it.tags,
    language: input.language ?? it.language,
    licence: input.licence ?? it.licence,
    url: it.url === null ? null : (input.url ?? it.url),
  };
  const body = it.kind === "document" ? (input.body ?? it.bodyMd) : it.bodyMd;
  const same = keysOf(texts).every((key) => String(texts[key]) === String(it[key])) && opens === it.editsBy;
  await run(
    tx,
    deleteSentDraft(me.id, `document:${it.id}`, {
      title: texts.title,
      body,
      draftVersion: input.draftVersion,
    }),
  );
  if (same && body === it.bodyMd) {
    if (it.state === "hidden") throw unchangedRefusal(it);
    return;
  }
  assertUnchanged(it, input);
  // A moderator reviews what a returned resource has become.
  if (it.returnedAt === null)
    await assertNoAddedLinks(tx, me, it, { url: texts.url, text: `${texts.why}\n\n${body}` });
  const assignments = sql`title = ${texts.title}, why = ${texts.why}, tags = ${texts.tags}::text[],
    language = ${texts.language}, licence = ${texts.licence}, edits_by = ${opens}`;
  const content = body === it.bodyMd ? null : { body, uploadId: null, note: input.note, restoredFrom: null };
  await applyEdit(tx, me, it, {
    ...input,
    set: texts.url === it.url ? assignments : sql`${assignments}, ${linkColumns(texts.url!)}`,
    content,
  });
  await reportFlaggedText(tx, me.id, flagged, { resourceId: it.id });
}

/**
 * Refuses links that a newcomer adds by editing, because edits are not approved.
 * @throws `invalid` on `url` or `body`
 */
async function assertNoAddedLinks(
  tx: Tx,
  me: SignedIn,
  resource: Resource,
  now: { url: string | null; text: string },
): Promise<void> {
  const can = { moderate: resourceRules.moderate(me, resource) };
  if (!firstPostRules.concerns(me, can)) return;
  const isOtherUrl = now.url !== resource.url;
  const before = countLinks(`${resource.why}\n\n${resource.bodyMd}`);
  const links = { before, now: countLinks(now.text) + (isOtherUrl ? 1 : 0) };
  if (await addsUnapprovedLinks(tx, me, can, links)) throw addedLinkRefusal(isOtherUrl ? "url" : "body");
}

const addedLinkRefusal = (field: string) =>
  invalid(
    field,
    msg(
      "Links of new members need approval here. Add the link as a new resource, which can wait for approval.",
    ),
  );

const linkColumns = (url: string): Sql =>
  sql`url = ${url}, kind = ${kindFromAddress(url)}, site_name = ${siteName(url)},
    normal_url = ${normalizeAddress(url)}, health = 'unknown'`;

/**
 * Replaces the file. The former file remains readable as a version.
 * @throws as `editResource`, and `invalid` on `uploadId`
 */
export async function replaceFile(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewFileVersion>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getEditableResource(tx, me, input);
  if (it.kind !== "file" && it.kind !== "image")
    throw invalid("uploadId", "Only a file can be replaced with a file.");
  assertUnchanged(it, input);
  const { mime } = await lockUnusedUpload(tx, me, input.uploadId);
  await attachUpload(tx, input.uploadId, it.id);
  const content = { body: "", uploadId: input.uploadId, note: input.note, restoredFrom: null };
  await applyEdit(tx, me, it, { ...input, set: sql`kind = ${kindFromMime(mime)}`, content });
}

/**
 * Adds a version with the content of an earlier one.
 * @throws as `editResource`, and `not-found` for an unknown version
 */
export async function restoreVersion(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof VersionRestore>,
): Promise<void> {
  const me = requireSignedIn(viewer);
  const it = await getEditableResource(tx, me, input);
  assertUnchanged(it, input);
  if (input.version === it.version) {
    if (it.state === "hidden") throw unchangedRefusal(it);
    return;
  }
  const old = await one(
    tx,
    sql<{ body: string; uploadId: string | null; mime: string | null }>`
      select v.body_md as body, v.upload_id as "uploadId", u.mime from resources r
      left join resource_versions v on v.resource_id = r.id and v.version = ${input.version} left
      join uploads u on u.id = v.upload_id and u.state <> 'quarantined'
      where r.id = ${it.id}`,
  );
  const lost = old.body === null || (it.kind !== "document" && old.mime === null);
  if (lost) throw new Refusal("conflict", "That version is no longer stored.");
  const set = old.mime === null ? sql`kind = kind` : sql`kind = ${kindFromMime(old.mime)}`;
  await applyEdit(tx, me, it, { ...input, set, content: { ...old, note: "", restoredFrom: input.version } });
}

const unchangedRefusal = ({ returnedAt }: Resource) =>
  returnedAt === null
    ? invalid("title", "Change what others reported, then save.")
    : invalid("title", "Change the resource first. A moderator then reviews it again.");

/**
 * Loads and locks a resource that the viewer may edit. Requires a reason for another owner's resource. The owner
 * may edit a hidden one once.
 */
async function getEditableResource(
  tx: Tx,
  me: SignedIn,
  { resourceId, reason }: ResourceEditInput,
): Promise<Resource> {
  const it = await getResourceForUpdate(tx, me, resourceId);
  if (it.state === "hidden") {
    assertCanEditHiddenResource(tx, me, it);
    return it;
  }
  if (resourceRules.edit(me, it)) return it;
  if (!resourceRules.amend(me, it)) throw new Refusal("not-allowed", "You cannot edit this.");
  if (reason === "") throw invalid("reason", "Enter a reason. The owner will read it.");
  return it;
}

function assertUnchanged(resource: Resource, { changes }: ResourceEditInput) {
  if (changes !== resource.changes)
    throw new Refusal(
      "conflict",
      "Someone else changed this. Compare both texts, then save the one to keep.",
    );
}

type ResourceUpdate = ResourceEditInput & { set: Sql; content: VersionContent | null };

async function applyEdit(
  tx: Tx,
  me: SignedIn,
  resource: Resource,
  { set, content, reason }: ResourceUpdate,
): Promise<void> {
  await assertVersionLimit(tx, me);
  if (content) await addVersion(tx, me, resource, content);
  const bodyHtml = content && (await renderDocument(content.body));
  await run(
    tx,
    sql`update resources set ${set}, changes = changes + 1, updated_at = ${tx.now}
        ${
          content
            ? sql`, version = version + 1, body_md = ${content.body}, body_html = ${bodyHtml},
          upload_id = ${content.uploadId}`
            : sql``
        }
        where id = ${resource.id}`,
  );
  const at = { resourceId: resource.id, groupId: resource.group?.id ?? null };
  if (!resourceRules.edit(me, resource) && resource.state !== "hidden")
    await writeAudit(tx, me, {
      act: "resource.changed",
      kind: "resource",
      id: resource.id,
      reason,
      details: { groupId: at.groupId },
    });
  await emit(tx, { type: "resource.edited", ...at, by: me.id });
  if (content) await emit(tx, { type: "resource.version", ...at, version: resource.version + 1, by: me.id });
  if (resource.returnedAt !== null) await resubmitReturnedResource(tx, me, at);
  else if (resource.state === "hidden")
    await markResourceVisible(tx, me, { id: resource.id, groupId: at.groupId });
}

/** If an imported resource has no version yet, its current content is stored as the first version. */
async function addVersion(
  tx: Tx,
  me: SignedIn,
  resource: Resource,
  { body, uploadId, note, restoredFrom }: VersionContent,
) {
  await run(
    tx,
    sql`insert into resource_versions (resource_id, version, by_id, body_md, upload_id, created_at)
        select id, version, owner_id, body_md, upload_id, coalesce(updated_at, created_at) from resources
        where id = ${resource.id} on conflict do nothing`,
  );
  await run(
    tx,
    sql`insert into resource_versions (resource_id, version, by_id, note, body_md, upload_id, restored_from,
      created_at)
        values (${resource.id}, ${resource.version + 1}, ${me.id}, ${note}, ${body}, ${uploadId}, ${restoredFrom},
          ${tx.now})`,
  );
}

/**
 * Limits versions to thirty a day per person; staff are exempt. Other edits add no version; the API's rate
 * limits apply to them. A lock serializes a person's edits, so that two concurrent ones are both counted.
 */
async function assertVersionLimit(tx: Tx, me: SignedIn): Promise<void> {
  if (isStaff(me)) return;
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('versions:' || ${me.id}::text, 0))`);
  const most = SERVER_LIMITS.pace.edits.day;
  const { count } = await one(
    tx,
    sql<{ count: number }>`
      select case when ${hasWritingLimits} then count(*)::int else 0 end as count
      from (select from resource_versions
        where by_id = ${me.id} and version > 1
          and created_at > ${addMilliseconds(tx.now, -DAY)} ${limit(most)}) few`,
  );
  if (count >= most)
    throw new Refusal("too-many", "You have reached the limit of 30 edits a day. Come back tomorrow.");
}
