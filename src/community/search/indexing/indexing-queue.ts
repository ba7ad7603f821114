import { type Db, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { DomainEvent } from "#platform/outbox";
import type { Index } from "../search-engine.ts";

/** A target to reindex: one document of an index, or all documents of a container. */
export type IndexingTarget =
  | Index
  | `in-${"discussion" | "resource" | "group" | "series"}`
  | "by-person"
  | "everything";
export type QueuedTarget = { what: IndexingTarget; id: string };

/** Domain events that do not change the search index. */
const IRRELEVANT_EVENTS = new RegExp(
  String.raw`^(discussion\.(read|followed)|post\.mentioned|message\.(reacted|unreacted)` +
    String.raw`|poll\.voted|conversation\.|friend\.|notifications?\.|bookmark\.|report\.|link\.` +
    String.raw`|announcement\.|settings\.|group\.(start_changed|owner_\w+|invit\w+|request\w*` +
    String.raw`|join_declined|role_changed|opening_\w+|ban_ended)|person\.(security|password` +
    String.raw`|second-step|sessions|blocked|unblocked|muted|unmuted|filtered|established))`,
);
/** Domain events that change an event of the calendar; those of series concern several dates. */
const CALENDAR_EVENTS = /^calendar\.(created|changed|postponed|cancelled|series-\w+)$/;
/** Domain events that change a discussion or resource but not its posts. */
const SELF_ONLY_EVENTS =
  /^discussion\.(started|pinned|unpinned|locked|unlocked|slowed|timed)|^resource\.(added|followed|bookmarked|comment)/;
const VISIBILITY_EVENTS = /^group\.(changed|opened|approved|deleted|restored|purged|archived|unarchived)/;
const AUTHOR_EVENTS = /^person\.(left|erased|status-changed)/;
const REINDEX_EVENTS = /^transfer\.(finished|undone)$/;
const NIL_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Targets to reindex after a domain event. The order of events does not matter, because rows are read only
 * when a target is indexed.
 */
export function indexingTargetsFor(domainEvent: DomainEvent): QueuedTarget[] {
  const { type } = domainEvent;
  if (REINDEX_EVENTS.test(type)) return [{ what: "everything", id: NIL_ID }];
  if (IRRELEVANT_EVENTS.test(type)) return [];
  const due: QueuedTarget[] = [];
  const add = (what: IndexingTarget, id: unknown) =>
    typeof id === "string" && isId(id) && due.push({ what, id });
  add("posts", domainEvent["postId"]);
  add("messages", domainEvent["messageId"]);
  for (const key of ["discussionId", "fromDiscussionId"]) add("discussions", domainEvent[key]);
  add("resources", domainEvent["resourceId"]);
  if (CALENDAR_EVENTS.test(type)) {
    add("events", domainEvent["eventId"]);
    add("in-series", domainEvent["seriesId"]);
    for (const id of String(domainEvent["eventIds"] ?? "").split(",")) add("events", id);
  }
  if (type.startsWith("discussion.") && !SELF_ONLY_EVENTS.test(type))
    for (const key of ["discussionId", "fromDiscussionId"]) add("in-discussion", domainEvent[key]);
  if (type.startsWith("resource.") && !SELF_ONLY_EVENTS.test(type))
    add("in-resource", domainEvent["resourceId"]);
  if (type.startsWith("group.")) add("groups", domainEvent["groupId"]);
  if (VISIBILITY_EVENTS.test(type)) add("in-group", domainEvent["groupId"]);
  if (type.startsWith("person.")) for (const key of ["personId", "by"]) add("people", domainEvent[key]);
  if (AUTHOR_EVENTS.test(type)) add("by-person", domainEvent["personId"] ?? domainEvent["by"]);
  return due;
}

/** Adds targets to the indexing queue. */
export const enqueueIndexing = (db: Db, due: readonly QueuedTarget[]): Promise<unknown> =>
  due.length === 0
    ? Promise.resolve()
    : run(
        db,
        sql`insert into search_queue (what, id, at) select what, id, now()
          from unnest(${due.map(({ what }) => what)}::text[], ${due.map(({ id }) => id)}::uuid[]) due (what,
            id)`,
      );
