import { type Discussion, discussionFor } from "#community/discussions";
import { discussionRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { asked } from "../forms.ts";

export const DEEDS = ["title", "pin", "pace", "timer", "archive", "delete"] as const;
export type DeedName = (typeof DEEDS)[number];

/** What the page on which a discussion is looked after shows: one deed at a time, as the address says. */
export async function managePage(db: Db, viewer: Viewer, id: string, url: URL) {
  const discussion = await discussionFor(db, viewer, id);
  const open = deedsFor(viewer, discussion);
  if (open.length === 0) throw new Refusal("not-allowed", "Only those who look after the group can do this.");
  const deed = open.find((name) => name === asked(url, "do")) ?? open[0]!;
  return { discussion, open, deed };
}
export type ManageData = Awaited<ReturnType<typeof managePage>>;

/** Its author changes the title; everything else is for those who look after the group. */
function deedsFor(viewer: Viewer, discussion: Discussion): DeedName[] {
  if (discussionRules.lead(viewer, discussion)) return [...DEEDS];
  return discussionRules.rename(viewer, discussion) ? ["title"] : [];
}
