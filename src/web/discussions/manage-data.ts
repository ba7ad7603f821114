import { type Discussion, discussionFor, groupsToMoveTo, postsNumbered } from "#community/discussions";
import { discussionRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { LANGUAGES } from "#platform/language";
import { Refusal } from "#platform/refusal";
import { asked } from "../forms.ts";
import { numbersOf } from "./spans.ts";

export const DEEDS = ["title", "pin", "lock", "answer", "pace", "timer", "move", "split", "merge", "archive", "delete"] as const;
export type DeedName = (typeof DEEDS)[number];
/** Maximum number of posts to choose from. */
const MOST_POSTS = 500;

/** Data of the page that manages a discussion: one action at a time, as the address says. */
export async function managePage(db: Db, viewer: Viewer, id: string, url: URL) {
  const discussion = await discussionFor(db, viewer, id);
  const open = deedsFor(viewer, discussion);
  if (open.length === 0) throw new Refusal("not-allowed", "Only those who look after the group can do this.");
  const deed = open.find((name) => name === asked(url, "do")) ?? open[0]!;
  return {
    discussion,
    open,
    deed,
    languages: deed === "title" ? LANGUAGES : [],
    answeredBy: deed === "answer" ? await answering(db, viewer, discussion, url) : null,
    move: deed === "move" ? await moving(db, viewer, discussion, url) : null,
    split: deed === "split" ? await splitting(db, viewer, discussion, url) : null,
    merge: deed === "merge" ? await merging(db, viewer, discussion, url) : null,
  };
}
export type ManageData = Awaited<ReturnType<typeof managePage>>;

/** The author changes title and tags; everything else is for moderators of the group. */
function deedsFor(viewer: Viewer, discussion: Discussion): DeedName[] {
  if (discussionRules.lead(viewer, discussion)) return [...DEEDS];
  return discussionRules.rename(viewer, discussion) ? ["title"] : [];
}

/** The post to be marked as the answer, if the address names a readable one. */
async function answering(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const numbers = numbersOf(asked(url, "post"), discussion.lastNumber, 1);
  const [post] = numbers.length > 0 ? await postsNumbered(db, viewer, discussion, numbers) : [];
  return post?.stub === null ? post : null;
}

async function moving(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const groups = await groupsToMoveTo(db, viewer, discussion);
  return { groups, chosen: groups.find(({ id }) => id === asked(url, "to")) ?? null };
}

async function splitting(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const wanted = asked(url, "posts");
  const numbers = numbersOf(wanted, discussion.lastNumber, MOST_POSTS).filter((number) => number > 1);
  return { wanted, posts: numbers.length > 0 ? await postsNumbered(db, viewer, discussion, numbers) : [] };
}

/** The other discussion is named by its address. A hidden one is treated like one that does not exist. */
async function merging(db: Db, viewer: Viewer, discussion: Discussion, url: URL) {
  const wanted = asked(url, "into", 400);
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(wanted)?.[0]?.toLowerCase();
  if (!id || id === discussion.id) return { wanted, into: null };
  const into = await discussionFor(db, viewer, id).catch((error: unknown) => {
    if (error instanceof Refusal && error.reason === "not-found") return null;
    throw error;
  });
  if (!into || !discussionRules.lead(viewer, into)) return { wanted, into: null };
  const audience = discussionRules.audienceOfBoth(discussion, into);
  return { wanted, into: { id: into.id, title: into.title, group: into.group, audience } };
}
