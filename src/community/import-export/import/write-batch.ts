import { type ArchiveRecord, type RecordKind, RECORD_KINDS } from "../archive/records.ts";
import {
  type AnyEntry,
  type Batch,
  type Entry,
  refuseRecord,
  formatSourceId,
  groupByKind,
  isUserEntry,
} from "./import-batch.ts";
import { importConversations } from "./import-conversations.ts";
import { importDiscussions, importReadPositions } from "./import-discussions.ts";
import { importGroups, importMemberships } from "./import-groups.ts";
import { attachPromotedDiscussions } from "./promoted-posts.ts";
import { importFiles } from "./import-files.ts";
import { importRevisions, importVersions } from "./import-revisions.ts";
import { importCollections, importResources, importResourceUses } from "./import-resources.ts";
import { importMessages } from "./import-messages.ts";
import type { RecordReference } from "./record-ids.ts";
import { repairPostOrder, type OpenThread } from "./post-order.ts";
import {
  addEmailAddresses,
  importBlocks,
  importFriendships,
  importMutes,
  importUsers,
} from "./import-people.ts";
import { importPosts } from "./import-posts.ts";
import { limitProfileFields } from "./profile-field-limit.ts";
import { importSettings } from "./import-settings.ts";
import { replaceFutureDates } from "./future-dates.ts";
import { importMessageReactions, importReactions } from "./import-reactions.ts";
import {
  importBookmarks,
  importFollows,
  importActivityEntries,
  importStartHereItems,
} from "./import-activity.ts";
import { importVotes } from "./import-votes.ts";

const IMPORTERS: { [K in RecordKind]: (batch: Batch, entries: Entry<K>[]) => Promise<void> } = {
  setting: importSettings,
  user: (batch, entries) =>
    importUsers(
      batch,
      entries.map((it) => limitProfileFields(batch, it)),
    ),
  group: importGroups,
  file: importFiles,
  membership: importMemberships,
  friendship: importFriendships,
  block: importBlocks,
  resource: importResources,
  version: importVersions,
  discussion: importDiscussions,
  post: importPosts,
  revision: importRevisions,
  vote: importVotes,
  reaction: importReactions,
  reading: importReadPositions,
  use: importResourceUses,
  collection: importCollections,
  line: importActivityEntries,
  start: importStartHereItems,
  follow: importFollows,
  bookmark: importBookmarks,
  mute: importMutes,
  conversation: importConversations,
  message: importMessages,
  "message-reaction": importMessageReactions,
};

/**
 * Writes a batch type by type. Counts existing records as known and reports invalid ones. Returns the
 * discussion whose posts may continue in the next batch.
 */
export async function writeBatch(given: Batch): Promise<OpenThread> {
  const all = RECORD_KINDS.flatMap((kind) => (given.entries[kind] ?? []) as AnyEntry[]).flatMap((it) =>
    replaceFutureDates(given, it),
  );
  const batch = { ...given, entries: groupByKind(all) };
  await batch.names.learn(
    batch.tx,
    all.flatMap(({ record }) => [
      { kind: record.type, id: formatSourceId(record) },
      ...listRequiredNames(record),
      ...listOptionalNames(record),
    ]),
  );
  await attachPromotedDiscussions(batch);
  for (const kind of RECORD_KINDS) await writeKind(batch, kind);
  return repairPostOrder(batch);
}

async function writeKind<K extends RecordKind>(batch: Batch, kind: K): Promise<void> {
  const seen = new Set<string>();
  const here: AnyEntry[] = [];
  const fresh = (batch.entries[kind] ?? []).filter((entry) => {
    const id = formatSourceId(entry.record);
    const known = seen.has(id) || batch.names.of(kind, id) !== undefined;
    if (known) {
      batch.count(kind, "known");
      here.push(entry);
    }
    const isFresh = !known && hasRequiredRecords(batch, entry);
    if (isFresh) seen.add(id);
    return isFresh;
  });
  if (kind === "user") await addEmailAddresses(batch, here.filter(isUserEntry));
  if (fresh.length > 0) await IMPORTERS[kind](batch, fresh);
}

function hasRequiredRecords(batch: Batch, entry: AnyEntry): boolean {
  const { record } = entry;
  const lacking = listRequiredNames(record).find(({ kind, id }) => batch.names.of(kind, id) === undefined);
  if (lacking)
    refuseRecord(batch, entry, `it refers to the ${lacking.kind} ${lacking.id}, which does not precede it.`);
  const nowhere = findMissingParent(record);
  if (nowhere) refuseRecord(batch, entry, nowhere);
  const bytesLack = record.type === "file" && !batch.stored.has(record.id);
  // The file is only counted here, because the reason was reported when the bytes were fetched.
  if (bytesLack) batch.count("file", "refused");
  return !lacking && !nowhere && !bytesLack;
}

function findMissingParent(archiveRecord: ArchiveRecord): string | null {
  if (archiveRecord.type === "post" && !archiveRecord.discussion && !archiveRecord.resource)
    return "the post belongs to no discussion or resource.";
  if (archiveRecord.type === "start" && !archiveRecord.discussion && !archiveRecord.resource)
    return "it names neither a discussion nor a resource.";
  return archiveRecord.type === "bookmark" && !archiveRecord.post && !archiveRecord.resource
    ? "it names neither a post nor a resource."
    : null;
}

const toRecordNames = (kind: RecordKind, ...ids: (string | null | undefined)[]): RecordReference[] =>
  ids.flatMap((id) => (id ? [{ kind, id }] : []));

/** Entities that a record must reference. */
function listRequiredNames(archiveRecord: ArchiveRecord): RecordReference[] {
  switch (archiveRecord.type) {
    case "membership":
      return [...toRecordNames("group", archiveRecord.group), ...toRecordNames("user", archiveRecord.user)];
    case "friendship":
    case "block":
    case "mute":
      return toRecordNames("user", archiveRecord.from, archiveRecord.to);
    case "discussion":
      return [...toRecordNames("group", archiveRecord.group), ...toRecordNames("user", archiveRecord.author)];
    case "post":
      return [
        ...toRecordNames("user", archiveRecord.author),
        ...(archiveRecord.discussion
          ? toRecordNames("discussion", archiveRecord.discussion)
          : toRecordNames("resource", archiveRecord.resource)),
      ];
    case "reaction":
    case "vote":
      return [...toRecordNames("post", archiveRecord.post), ...toRecordNames("user", archiveRecord.user)];
    case "revision":
      return [...toRecordNames("post", archiveRecord.post), ...toRecordNames("user", archiveRecord.by)];
    case "version":
      return [
        ...toRecordNames("resource", archiveRecord.resource),
        ...toRecordNames("user", archiveRecord.by),
      ];
    case "reading":
      return [
        ...toRecordNames("discussion", archiveRecord.discussion),
        ...toRecordNames("user", archiveRecord.user),
      ];
    case "conversation":
      return toRecordNames("user", archiveRecord.creator);
    case "message":
      return [
        ...toRecordNames("conversation", archiveRecord.conversation),
        ...toRecordNames("user", archiveRecord.author),
      ];
    case "message-reaction":
      return [
        ...toRecordNames("message", archiveRecord.message),
        ...toRecordNames("user", archiveRecord.user),
      ];
    case "file":
      return [...toRecordNames("user", archiveRecord.user), ...toRecordNames("group", archiveRecord.group)];
    case "resource":
      return [
        ...toRecordNames("user", archiveRecord.owner),
        ...toRecordNames("group", archiveRecord.group),
        ...toRecordNames("file", archiveRecord.file),
      ];
    case "line":
      return toRecordNames("discussion", archiveRecord.discussion);
    case "follow":
      return [
        ...toRecordNames("resource", archiveRecord.resource),
        ...toRecordNames("user", archiveRecord.user),
      ];
    case "bookmark":
      return [
        ...toRecordNames("user", archiveRecord.user),
        ...(archiveRecord.post
          ? toRecordNames("post", archiveRecord.post)
          : toRecordNames("resource", archiveRecord.resource)),
      ];
    case "start":
      return [
        ...toRecordNames("group", archiveRecord.group),
        ...(archiveRecord.discussion
          ? toRecordNames("discussion", archiveRecord.discussion)
          : toRecordNames("resource", archiveRecord.resource)),
      ];
    case "use":
      return [
        ...toRecordNames("resource", archiveRecord.resource),
        ...toRecordNames("post", archiveRecord.post),
      ];
    case "collection":
      return [
        ...toRecordNames("user", archiveRecord.curator),
        ...toRecordNames("group", archiveRecord.group),
      ];
    case "user":
    case "group":
    case "setting":
      return [];
  }
}

/** Entities that a record may reference. */
function listOptionalNames(archiveRecord: ArchiveRecord): RecordReference[] {
  if (archiveRecord.type === "group")
    return toRecordNames(
      "user",
      archiveRecord.owner,
      archiveRecord.opens?.by,
      ...archiveRecord.formerRules.map(({ by }) => by),
    );
  if (archiveRecord.type === "file") return toRecordNames("user", archiveRecord.owner);
  if (archiveRecord.type === "line")
    return [
      ...toRecordNames("user", archiveRecord.by),
      ...toRecordNames("discussion", archiveRecord.otherDiscussion),
      ...toRecordNames("group", archiveRecord.otherGroup),
    ];
  if (archiveRecord.type === "start") return toRecordNames("user", archiveRecord.by);
  if (archiveRecord.type === "collection")
    return toRecordNames("user", ...archiveRecord.helpers.flatMap(({ user, by }) => [user, by]));
  if (archiveRecord.type === "membership")
    return toRecordNames("user", archiveRecord.invitedBy, archiveRecord.bannedBy);
  if (archiveRecord.type === "discussion")
    return [
      ...toRecordNames(
        "user",
        archiveRecord.archivedBy,
        archiveRecord.pinnedBy,
        archiveRecord.lockedBy,
        archiveRecord.resolvedBy,
        archiveRecord.timer?.by,
      ),
      ...toRecordNames("post", archiveRecord.begunBy),
    ];
  if (archiveRecord.type === "resource")
    return toRecordNames("user", archiveRecord.featuredBy, archiveRecord.removedBy);
  if (archiveRecord.type === "post")
    return [
      ...toRecordNames("post", archiveRecord.replyTo, archiveRecord.movedTo, ...archiveRecord.movedFrom),
      ...toRecordNames("user", archiveRecord.takenBy, ...archiveRecord.mentions.map(({ user }) => user)),
      ...toRecordNames("group", ...archiveRecord.mentions.map(({ group }) => group)),
      ...toRecordNames("file", ...archiveRecord.files),
    ];
  if (archiveRecord.type === "message")
    return [
      ...toRecordNames("message", archiveRecord.replyTo),
      ...toRecordNames("file", ...archiveRecord.files),
      ...toRecordNames("user", ...archiveRecord.hiddenFrom.map(({ user }) => user)),
    ];
  if (archiveRecord.type === "version") return toRecordNames("file", archiveRecord.file);
  if (archiveRecord.type === "conversation")
    return toRecordNames(
      "user",
      ...archiveRecord.participants.map(({ user }) => user),
      ...archiveRecord.lines.flatMap(({ user, by }) => [user, by]),
    );
  return [];
}
