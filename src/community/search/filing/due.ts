import { type Db, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import type { Happening } from "#platform/outbox";
import type { Index } from "../engine.ts";

/** A reindexing target: one document of an index, or all documents of a container. */
export type What = Index | `in-${"discussion" | "resource" | "group"}` | "by-person" | "everything";
export type Due = { what: What; id: string };

/** Events that do not change search. */
const UNSEEN =
  /^(discussion\.(read|followed)|post\.mentioned|message\.(reacted|unreacted)|poll\.voted|conversation\.|friend\.|notifications?\.|bookmark\.|report\.|link\.|announcement\.|settings\.|group\.(start_changed|heir_\w+|invit\w+|request\w*|declined|role_changed|opening_\w+|ban_ended)|person\.(security|password|second-step|sessions|blocked|unblocked|muted|unmuted|filtered|established))/;
/** Events that change a discussion or resource but not its posts. */
const OF_ITSELF = /^discussion\.(started|pinned|unpinned|locked|unlocked|slowed|timed)|^resource\.(added|followed|bookmarked|comment)/;
const COMES_OR_GOES = /^group\.(changed|opened|let_in|deleted|brought_back|purged|archived|unarchived)/;
const WITH_WRITINGS = /^person\.(left|erased|status-changed)/;
const ALL_NEW = /^transfer\.(finished|undone)$/;
const NOBODY = "00000000-0000-0000-0000-000000000000";

/**
 * Targets to reindex after a domain event. Rows are read when their turn comes, so the order of events does
 * not matter.
 */
export function dueAfter(happening: Happening): Due[] {
  const { type } = happening;
  if (ALL_NEW.test(type)) return [{ what: "everything", id: NOBODY }];
  if (UNSEEN.test(type)) return [];
  const due: Due[] = [];
  const add = (what: What, id: unknown) => typeof id === "string" && isId(id) && due.push({ what, id });
  add("posts", happening["postId"]);
  add("messages", happening["messageId"]);
  for (const key of ["discussionId", "fromDiscussionId"]) add("discussions", happening[key]);
  add("resources", happening["resourceId"]);
  if (type.startsWith("discussion.") && !OF_ITSELF.test(type))
    for (const key of ["discussionId", "fromDiscussionId"]) add("in-discussion", happening[key]);
  if (type.startsWith("resource.") && !OF_ITSELF.test(type)) add("in-resource", happening["resourceId"]);
  if (type.startsWith("group.")) add("groups", happening["groupId"]);
  if (COMES_OR_GOES.test(type)) add("in-group", happening["groupId"]);
  if (type.startsWith("person.")) for (const key of ["personId", "by"]) add("people", happening[key]);
  if (WITH_WRITINGS.test(type)) add("by-person", happening["personId"] ?? happening["by"]);
  return due;
}

/** Adds targets to the indexing queue. */
export const putDue = (db: Db, due: readonly Due[]): Promise<unknown> =>
  due.length === 0
    ? Promise.resolve()
    : run(
        db,
        sql`insert into search_due (what, id, at) select what, id, now() from unnest(${due.map(({ what }) => what)}::text[], ${due.map(({ id }) => id)}::uuid[]) due (what, id)`,
      );
