import { type Database, maybeOne, sql } from "#platform/database";
import { later as enqueue } from "#platform/jobs";
import type { Happening } from "#platform/outbox";
import { catchUp } from "./catch-up.ts";
import { ENDS } from "./ends.ts";
import { makeNotifications } from "./make.ts";
import * as accounts from "./telling/accounts.ts";
import * as changed from "./telling/changed.ts";
import * as firstPosts from "./telling/first-posts.ts";
import * as groups from "./telling/groups.ts";
import * as library from "./telling/library.ts";
import * as links from "./telling/links.ts";
import * as places from "./telling/places.ts";
import * as talk from "./telling/talk.ts";
import * as taken from "./telling/taken.ts";
import { itemOf, type Telling } from "./telling/telling.ts";
import * as ties from "./telling/ties.ts";

type Item = Telling["item"];
/** Types the payload of a domain event for its trigger; each type is emitted by one command. */
type Read = <It>(make: (it: It, item: Item, now: Date) => Telling) => (happening: Happening, item: Item, now: Date) => Telling;
const reading: Read = (make) => (happening, item, now) => make(happening as never, item, now);

/** Triggers by domain event type. */
const TELLINGS: Record<string, (happening: Happening, item: Item, now: Date) => Telling> = {
  "discussion.started": reading(talk.started),
  "post.written": reading(talk.replied),
  "post.mentioned": reading(talk.mentioned),
  "post.reacted": reading(talk.reacted),
  "discussion.restored": reading(changed.discussionRestored),
  "post.edited": reading(changed.postEdited),
  "post.restored": reading(changed.postRestored),
  "discussion.deleted": reading(taken.discussionDeleted),
  "post.removed": reading(taken.postRemoved),
  "post.hidden": reading(taken.postHidden),
  "post.waits": reading(firstPosts.waits),
  "post.let_in": reading(firstPosts.letIn),
  "post.sent_back": reading(firstPosts.sentBack),
  "bookmark.due": reading(talk.due),
  "message.written": (it, _item, now) => places.wrote(it as never, now),
  "comment.written": reading(library.commented),
  "comment.mentioned": reading(library.mentionedUnder),
  "comment.reacted": reading(library.reactedUnder),
  "comment.edited": reading(changed.commentEdited),
  "comment.restored": reading(changed.commentRestored),
  "comment.removed": reading(taken.commentRemoved),
  "comment.hidden": reading(taken.commentHidden),
  "resource.removed": reading(taken.resourceRemoved),
  "resource.edited": reading(changed.resourceEdited),
  "resource.moved": reading(changed.resourceMoved),
  "resource.version": reading(library.newVersion),
  "resource.link-died": reading(library.linkDied),
  "announcement.made": reading(places.announcedToAll),
  "friend.requested": reading(ties.askedToBeFriends),
  "friend.accepted": reading(ties.becameFriends),
  "group.invited": reading(ties.invited),
  "group.requested": reading(ties.askedToJoin),
  "group.admitted": (it, item) => ties.decided(it as never, "admitted", item),
  "group.declined": (it, item) => ties.decided(it as never, "declined", item),
  "group.removed": reading(groups.takenOut),
  "group.banned": reading(groups.keptOut),
  "group.ban_ended": reading(groups.letBack),
  "group.appealed": reading(groups.appealed),
  "group.appeal_declined": reading(groups.appealDeclined),
  "group.role_changed": reading(ties.roleChanged),
  "group.opening_announced": reading(groups.openingAnnounced),
  "group.waits": reading(groups.waits),
  "group.let_in": reading(groups.letIn),
  "group.turned_down": reading(groups.turnedDown),
  "group.heir_asked": reading(groups.heirAsked),
  "group.heir_declined": reading(groups.heirDeclined),
  "group.inspected": reading(groups.inspected),
  "group.deleted": reading(groups.deleted),
  "group.archived": reading(ties.archived),
  "resource.address-suggested": reading(links.addressSuggested),
  "resource.address-accepted": reading(links.addressAccepted),
  "report.made": reading(places.reported),
  "report.resolved": reading(places.reportEnded),
  "search.found": reading(places.foundAnew),
  "person.awaits-approval": reading(accounts.waits),
  "person.status-changed": reading(accounts.statusChanged),
  "person.security": reading(ties.ownAccount),
};

/** Domain event types with notifications. */
export const TOLD = Object.keys(TELLINGS);

type Told = { id: string; payload: Happening };

/**
 * Notifies people of a domain event, starting after person `after`, each once however often it runs. One
 * batch here; a job continues, so that a large audience delays nothing else.
 */
export async function tellOf(database: Database, told: Told, after: string | null = null): Promise<void> {
  const { next, objectId, people } = await database.inOneStatement((tx) =>
    makeNotifications(tx, TELLINGS[told.payload.type]!(told.payload, itemOf(told.id), tx.now), after),
  );
  // After a crash this is processed again from here, and no one is notified twice.
  if (next) await enqueue(database.db, { task: "notify", payload: { outboxId: told.id, after: next } });
  // People who read it during processing had no row to clear yet.
  if (objectId) await database.inOneStatement((tx) => catchUp(tx, objectId, people));
}

/** Job: the next batch. Does nothing if the domain event is no longer stored. */
export async function tellTheRest(database: Database, { outboxId, after }: { outboxId: string; after: string }): Promise<void> {
  const told = await maybeOne(database.db, sql<Told>`select id, payload from outbox where id = ${outboxId}`);
  if (told) await tellOf(database, told, after);
}

/** Ends notifications that the domain event makes obsolete: read, dealt with, or no longer visible. */
export const endWhatIsOver = (database: Database, happening: Happening): Promise<void> =>
  database.inTransaction((tx) => ENDS[happening.type]!(tx, happening));
export const ENDING = Object.keys(ENDS);
