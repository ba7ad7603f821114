import { type ArchiveRecord, type RecordKind, RECORD_KINDS } from "../archive/records.ts";
import { type AnyEntry, type Batch, type Entry, refuseRecord, formatSourceId } from "./import-batch.ts";
import { importConversations } from "./import-conversations.ts";
import { importDiscussions, importReadPositions } from "./import-discussions.ts";
import { importGroups, importMemberships } from "./import-groups.ts";
import { attachPromotedDiscussions } from "./promoted-posts.ts";
import { importFiles } from "./import-files.ts";
import { importRevisions, importVersions } from "./import-revisions.ts";
import { importCollections, importResources, importResourceUses } from "./import-resources.ts";
import { importMessages } from "./import-messages.ts";
import type { RecordName } from "./record-ids.ts";
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
 * Writes a batch type by type. Existing records are counted as known and invalid ones reported. Returns the
 * discussion that may continue.
 */
export async function writeBatch(given: Batch): Promise<OpenThread> {
  const all = RECORD_KINDS.flatMap((kind) => (given.entries[kind] ?? []) as AnyEntry[]).flatMap((it) =>
    replaceFutureDates(given, it),
  );
  const batch = { ...given, entries: Object.groupBy(all, ({ record }) => record.type) as Batch["entries"] };
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
  const fresh = (batch.entries[kind] ?? []).filter((it) => {
    const id = formatSourceId(it.record);
    const known = seen.has(id) || batch.names.of(kind, id) !== undefined;
    if (known) {
      batch.count(kind, "known");
      here.push(it);
    }
    const isFresh = !known && hasRequiredRecords(batch, it);
    if (isFresh) seen.add(id);
    return isFresh;
  });
  if (kind === "user") await addEmailAddresses(batch, here as Entry<"user">[]);
  if (fresh.length > 0) await IMPORTERS[kind](batch, fresh);
}

function hasRequiredRecords(batch: Batch, it: AnyEntry): boolean {
  const { record } = it;
  const lacking = listRequiredNames(record).find(({ kind, id }) => batch.names.of(kind, id) === undefined);
  if (lacking)
    refuseRecord(batch, it, `it refers to the ${lacking.kind} ${lacking.id}, which does not precede it.`);
  const nowhere = findMissingParent(record);
  if (nowhere) refuseRecord(batch, it, nowhere);
  const bytesLack = record.type === "file" && !batch.stored.has(record.id);
  // The reason was reported when the bytes were fetched.
  if (bytesLack) batch.count("file", "refused");
  return !lacking && !nowhere && !bytesLack;
}

function findMissingParent(it: ArchiveRecord): string | null {
  if (it.type === "post" && !it.discussion && !it.resource)
    return "the post belongs to no discussion or resource.";
  if (it.type === "start" && !it.discussion && !it.resource)
    return "it names neither a discussion nor a resource.";
  return it.type === "bookmark" && !it.post && !it.resource
    ? "it names neither a post nor a resource."
    : null;
}

const toRecordNames = (kind: RecordKind, ...ids: (string | null | undefined)[]): RecordName[] =>
  ids.flatMap((id) => (id ? [{ kind, id }] : []));

/** References that a record requires. */
function listRequiredNames(it: ArchiveRecord): RecordName[] {
  switch (it.type) {
    case "membership":
      return [...toRecordNames("group", it.group), ...toRecordNames("user", it.user)];
    case "friendship":
    case "block":
    case "mute":
      return toRecordNames("user", it.from, it.to);
    case "discussion":
      return [...toRecordNames("group", it.group), ...toRecordNames("user", it.author)];
    case "post":
      return [
        ...toRecordNames("user", it.author),
        ...(it.discussion
          ? toRecordNames("discussion", it.discussion)
          : toRecordNames("resource", it.resource)),
      ];
    case "reaction":
    case "vote":
      return [...toRecordNames("post", it.post), ...toRecordNames("user", it.user)];
    case "revision":
      return [...toRecordNames("post", it.post), ...toRecordNames("user", it.by)];
    case "version":
      return [...toRecordNames("resource", it.resource), ...toRecordNames("user", it.by)];
    case "reading":
      return [...toRecordNames("discussion", it.discussion), ...toRecordNames("user", it.user)];
    case "conversation":
      return toRecordNames("user", it.creator);
    case "message":
      return [...toRecordNames("conversation", it.conversation), ...toRecordNames("user", it.author)];
    case "message-reaction":
      return [...toRecordNames("message", it.message), ...toRecordNames("user", it.user)];
    case "file":
      return [...toRecordNames("user", it.user), ...toRecordNames("group", it.group)];
    case "resource":
      return [
        ...toRecordNames("user", it.owner),
        ...toRecordNames("group", it.group),
        ...toRecordNames("file", it.file),
      ];
    case "line":
      return toRecordNames("discussion", it.discussion);
    case "follow":
      return [...toRecordNames("resource", it.resource), ...toRecordNames("user", it.user)];
    case "bookmark":
      return [
        ...toRecordNames("user", it.user),
        ...(it.post ? toRecordNames("post", it.post) : toRecordNames("resource", it.resource)),
      ];
    case "start":
      return [
        ...toRecordNames("group", it.group),
        ...(it.discussion
          ? toRecordNames("discussion", it.discussion)
          : toRecordNames("resource", it.resource)),
      ];
    case "use":
      return [...toRecordNames("resource", it.resource), ...toRecordNames("post", it.post)];
    case "collection":
      return [...toRecordNames("user", it.curator), ...toRecordNames("group", it.group)];
    case "user":
    case "group":
    case "setting":
      return [];
  }
}

/** Optional references. */
function listOptionalNames(it: ArchiveRecord): RecordName[] {
  if (it.type === "group")
    return toRecordNames("user", it.owner, it.opens?.by, ...it.formerRules.map(({ by }) => by));
  if (it.type === "file") return toRecordNames("user", it.owner);
  if (it.type === "line")
    return [
      ...toRecordNames("user", it.by),
      ...toRecordNames("discussion", it.otherDiscussion),
      ...toRecordNames("group", it.otherGroup),
    ];
  if (it.type === "start") return toRecordNames("user", it.by);
  if (it.type === "collection")
    return toRecordNames("user", ...it.helpers.flatMap(({ user, by }) => [user, by]));
  if (it.type === "membership") return toRecordNames("user", it.invitedBy, it.bannedBy);
  if (it.type === "discussion")
    return [
      ...toRecordNames("user", it.archivedBy, it.pinnedBy, it.lockedBy, it.resolvedBy, it.timer?.by),
      ...toRecordNames("post", it.begunBy),
    ];
  if (it.type === "resource") return toRecordNames("user", it.featuredBy, it.removedBy);
  if (it.type === "post")
    return [
      ...toRecordNames("post", it.replyTo, it.movedTo, ...it.movedFrom),
      ...toRecordNames("user", it.takenBy, ...it.mentions.map(({ user }) => user)),
      ...toRecordNames("group", ...it.mentions.map(({ group }) => group)),
      ...toRecordNames("file", ...it.files),
    ];
  if (it.type === "message")
    return [
      ...toRecordNames("message", it.replyTo),
      ...toRecordNames("file", ...it.files),
      ...toRecordNames("user", ...it.hiddenFrom.map(({ user }) => user)),
    ];
  if (it.type === "version") return toRecordNames("file", it.file);
  if (it.type === "conversation")
    return toRecordNames(
      "user",
      ...it.participants.map(({ user }) => user),
      ...it.lines.flatMap(({ user, by }) => [user, by]),
    );
  return [];
}
