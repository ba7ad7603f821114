import { type ArchiveRecord, type Kind, KINDS } from "../archive/records.ts";
import { type AnyEntry, type Batch, type Entry, refuse, sourceIdOf } from "./batch.ts";
import { placeConversations } from "./conversations.ts";
import { placeDiscussions, placeReadings } from "./discussions.ts";
import { placeGroups, placeMemberships } from "./groups.ts";
import { placeGrown } from "./grown.ts";
import { placeFiles } from "./files.ts";
import { placeRevisions, placeVersions } from "./former.ts";
import { placeCollections, placeResources, placeUses } from "./library.ts";
import { placeMessages } from "./messages.ts";
import type { Name } from "./names.ts";
import { mendOrder, type OpenThread } from "./order.ts";
import { addAddresses, placeBlocks, placeFriendships, placeMutes, placeUsers } from "./people.ts";
import { placePosts } from "./posts.ts";
import { withFewLines } from "./profile-lines.ts";
import { placeSettings } from "./settings.ts";
import { asHasBeen } from "./to-come.ts";
import { placeMessageReactions, placeReactions } from "./reactions.ts";
import { placeBookmarks, placeFollows, placeLines, placeStarts } from "./traces.ts";
import { placeVotes } from "./votes.ts";

const PLACES: { [K in Kind]: (batch: Batch, entries: Entry<K>[]) => Promise<void> } = {
  setting: placeSettings,
  user: (batch, entries) =>
    placeUsers(
      batch,
      entries.map((it) => withFewLines(batch, it)),
    ),
  group: placeGroups,
  file: placeFiles,
  membership: placeMemberships,
  friendship: placeFriendships,
  block: placeBlocks,
  resource: placeResources,
  version: placeVersions,
  discussion: placeDiscussions,
  post: placePosts,
  revision: placeRevisions,
  vote: placeVotes,
  reaction: placeReactions,
  reading: placeReadings,
  use: placeUses,
  collection: placeCollections,
  line: placeLines,
  start: placeStarts,
  follow: placeFollows,
  bookmark: placeBookmarks,
  mute: placeMutes,
  conversation: placeConversations,
  message: placeMessages,
  "message-reaction": placeMessageReactions,
};

/**
 * Writes a batch type by type. Existing records are counted as known and invalid ones reported. Returns the
 * discussion that may continue.
 */
export async function placeBatch(given: Batch): Promise<OpenThread> {
  const all = KINDS.flatMap((kind) => (given.entries[kind] ?? []) as AnyEntry[]).flatMap((it) => asHasBeen(given, it));
  const batch = { ...given, entries: Object.groupBy(all, ({ record }) => record.type) as Batch["entries"] };
  await batch.names.learn(
    batch.tx,
    all.flatMap(({ record }) => [{ kind: record.type, id: sourceIdOf(record) }, ...neededBy(record), ...mentionedBy(record)]),
  );
  await placeGrown(batch);
  for (const kind of KINDS) await placeKind(batch, kind);
  return mendOrder(batch);
}

async function placeKind<K extends Kind>(batch: Batch, kind: K): Promise<void> {
  const seen = new Set<string>();
  const here: AnyEntry[] = [];
  const fresh = (batch.entries[kind] ?? []).filter((it) => {
    const id = sourceIdOf(it.record);
    const known = seen.has(id) || batch.names.of(kind, id) !== undefined;
    if (known) {
      batch.count(kind, "known");
      here.push(it);
    }
    const isFresh = !known && isWhole(batch, it);
    if (isFresh) seen.add(id);
    return isFresh;
  });
  if (kind === "user") await addAddresses(batch, here as Entry<"user">[]);
  if (fresh.length > 0) await PLACES[kind](batch, fresh);
}

function isWhole(batch: Batch, it: AnyEntry): boolean {
  const { record } = it;
  const lacking = neededBy(record).find(({ kind, id }) => batch.names.of(kind, id) === undefined);
  if (lacking) refuse(batch, it, `it names the ${lacking.kind} ${lacking.id}, which has not come before it.`);
  const nowhere = whyNowhere(record);
  if (nowhere) refuse(batch, it, nowhere);
  const bytesLack = record.type === "file" && !batch.stored.has(record.id);
  // The reason was reported when the bytes were fetched.
  if (bytesLack) batch.count("file", "refused");
  return !lacking && !nowhere && !bytesLack;
}

function whyNowhere(it: ArchiveRecord): string | null {
  if (it.type === "post" && !it.discussion && !it.resource) return "a post that stands in no discussion and under no resource.";
  if (it.type === "start" && !it.discussion && !it.resource) return "newcomers read a discussion or a resource first: it names none.";
  return it.type === "bookmark" && !it.post && !it.resource ? "a bookmark is of a post or a resource: it names none." : null;
}

const named = (kind: Kind, ...ids: (string | null | undefined)[]): Name[] => ids.flatMap((id) => (id ? [{ kind, id }] : []));

/** References that a record requires. */
function neededBy(it: ArchiveRecord): Name[] {
  switch (it.type) {
    case "membership":
      return [...named("group", it.group), ...named("user", it.user)];
    case "friendship":
    case "block":
    case "mute":
      return named("user", it.from, it.to);
    case "discussion":
      return [...named("group", it.group), ...named("user", it.author)];
    case "post":
      return [...named("user", it.author), ...(it.discussion ? named("discussion", it.discussion) : named("resource", it.resource))];
    case "reaction":
    case "vote":
      return [...named("post", it.post), ...named("user", it.user)];
    case "revision":
      return [...named("post", it.post), ...named("user", it.by)];
    case "version":
      return [...named("resource", it.resource), ...named("user", it.by)];
    case "reading":
      return [...named("discussion", it.discussion), ...named("user", it.user)];
    case "conversation":
      return named("user", it.creator);
    case "message":
      return [...named("conversation", it.conversation), ...named("user", it.author)];
    case "message-reaction":
      return [...named("message", it.message), ...named("user", it.user)];
    case "file":
      return [...named("user", it.user), ...named("group", it.group)];
    case "resource":
      return [...named("user", it.owner), ...named("group", it.group), ...named("file", it.file)];
    case "line":
      return named("discussion", it.discussion);
    case "follow":
      return [...named("resource", it.resource), ...named("user", it.user)];
    case "bookmark":
      return [...named("user", it.user), ...(it.post ? named("post", it.post) : named("resource", it.resource))];
    case "start":
      return [...named("group", it.group), ...(it.discussion ? named("discussion", it.discussion) : named("resource", it.resource))];
    case "use":
      return [...named("resource", it.resource), ...named("post", it.post)];
    case "collection":
      return [...named("user", it.curator), ...named("group", it.group)];
    case "user":
    case "group":
    case "setting":
      return [];
  }
}

/** Optional references. */
function mentionedBy(it: ArchiveRecord): Name[] {
  if (it.type === "group") return named("user", it.owner, it.opens?.by, ...it.formerRules.map(({ by }) => by));
  if (it.type === "file") return named("user", it.owner);
  if (it.type === "line") return [...named("user", it.by), ...named("discussion", it.otherDiscussion), ...named("group", it.otherGroup)];
  if (it.type === "start") return named("user", it.by);
  if (it.type === "collection") return named("user", ...it.helpers.flatMap(({ user, by }) => [user, by]));
  if (it.type === "membership") return named("user", it.invitedBy, it.bannedBy);
  if (it.type === "discussion")
    return [...named("user", it.archivedBy, it.pinnedBy, it.lockedBy, it.resolvedBy, it.timer?.by), ...named("post", it.begunBy)];
  if (it.type === "resource") return named("user", it.featuredBy, it.removedBy);
  if (it.type === "post")
    return [
      ...named("post", it.replyTo, it.movedTo, ...it.movedFrom),
      ...named("user", it.takenBy, ...it.mentions.map(({ user }) => user)),
      ...named("group", ...it.mentions.map(({ group }) => group)),
      ...named("file", ...it.files),
    ];
  if (it.type === "message")
    return [...named("message", it.replyTo), ...named("file", ...it.files), ...named("user", ...it.hiddenFrom.map(({ user }) => user))];
  if (it.type === "version") return named("file", it.file);
  if (it.type === "conversation")
    return named("user", ...it.participants.map(({ user }) => user), ...it.lines.flatMap(({ user, by }) => [user, by]));
  return [];
}
