import { type Discussion, getDiscussion, listMoveTargets, listPostsByNumber } from "#community/discussions";
import { discussionRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { LANGUAGES } from "#platform/language";
import { Refusal } from "#platform/refusal";
import { readQueryParam } from "../../form-parsing.ts";
import { parsePostNumbers } from "../dates-and-numbers.ts";

export const MANAGE_ACTIONS = [
  "title",
  "pin",
  "lock",
  "answer",
  "pace",
  "timer",
  "move",
  "split",
  "merge",
  "archive",
  "delete",
] as const;
export type ManageAction = (typeof MANAGE_ACTIONS)[number];
/** Maximum number of posts that can be chosen from. */
const MAX_POSTS = 500;

/** Loads the page that manages a discussion: one action at a time, named by the address. */
export async function loadManagePage(db: Db, viewer: Viewer, id: string, url: URL) {
  const discussion = await getDiscussion(db, viewer, id);
  const open = allowedActions(viewer, discussion);
  if (open.length === 0) throw new Refusal("not-allowed", "Only moderators of the group can do this.");
  const deed = open.find((name) => name === readQueryParam(url, "do")) ?? open[0]!;
  return {
    discussion,
    open,
    deed,
    languages: deed === "title" ? LANGUAGES : [],
    answeredBy: deed === "answer" ? await loadAnswerPost(db, viewer, discussion, url) : null,
    move: deed === "move" ? await loadMoveTargets(db, viewer, discussion, url) : null,
    split: deed === "split" ? await loadPostsToSplit(db, viewer, discussion, url) : null,
    merge: deed === "merge" ? await loadMergeTarget(db, viewer, discussion, url) : null,
  };
}
export type ManageData = Awaited<ReturnType<typeof loadManagePage>>;

/** The author may change title and tags; all other actions are for moderators of the group. */
function allowedActions(viewer: Viewer, discussion: Discussion): ManageAction[] {
  if (discussionRules.lead(viewer, discussion)) return [...MANAGE_ACTIONS];
  return discussionRules.rename(viewer, discussion) ? ["title"] : [];
}

/** The post to be marked as the answer, if the address names a post that the viewer can read. */
async function loadAnswerPost(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const numbers = parsePostNumbers(readQueryParam(url, "post"), discussion.lastNumber, 1);
  const [post] = numbers.length > 0 ? await listPostsByNumber(db, viewer, discussion, numbers) : [];
  return post?.stub === null ? post : null;
}

async function loadMoveTargets(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const groups = await listMoveTargets(db, viewer, discussion);
  return { groups, chosen: groups.find(({ id }) => id === readQueryParam(url, "to")) ?? null };
}

async function loadPostsToSplit(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const queryParam = readQueryParam(url, "posts");
  const numbers = parsePostNumbers(queryParam, discussion.lastNumber, MAX_POSTS).filter(
    (number) => number > 1,
  );
  return {
    wanted: queryParam,
    posts: numbers.length > 0 ? await listPostsByNumber(db, viewer, discussion, numbers) : [],
  };
}

/**
 * Finds the discussion whose address was entered. A discussion that the viewer may not see counts as
 * missing.
 */
async function loadMergeTarget(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const queryParam = readQueryParam(url, "into", 400);
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(queryParam)?.[0]?.toLowerCase();
  if (!id || id === discussion.id) return { wanted: queryParam, into: null };
  const into = await getDiscussion(db, viewer, id).catch((error: unknown) => {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  });
  if (!into || !discussionRules.lead(viewer, into)) return { wanted: queryParam, into: null };
  const audience = discussionRules.audienceOfBoth(discussion, into);
  return { wanted: queryParam, into: { id: into.id, title: into.title, group: into.group, audience } };
}
