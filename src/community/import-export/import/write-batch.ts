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
import { importAttendances } from "./calendar/import-attendances.ts";
import { importDatePollAnswers, importDatePolls } from "./calendar/import-date-polls.ts";
import { importEvents } from "./calendar/import-events.ts";
import { importEventSeries } from "./calendar/import-series.ts";
import { importConversations } from "./import-conversations.ts";
import { importDiscussions, importReadPositions } from "./import-discussions.ts";
import { importGroups, importMemberships } from "./import-groups.ts";
import { attachPromotedDiscussions } from "./promoted-posts.ts";
import { importFiles } from "./import-files.ts";
import { importRevisions, importVersions } from "./import-revisions.ts";
import { importCollections, importResources, importResourceUses } from "./import-resources.ts";
import { importMessages } from "./import-messages.ts";
import { listOptionalNames, listRequiredNames } from "./record-references.ts";
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
  "event-series": importEventSeries,
  event: importEvents,
  attendance: importAttendances,
  "date-poll": importDatePolls,
  "date-poll-answer": importDatePollAnswers,
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
