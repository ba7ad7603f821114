import {
  decidedRequests,
  friendsToInvite,
  type Group,
  groupExports,
  groupFor,
  heirStanding,
  invitationsOf,
  keptOutOf,
  membersOf,
  requestsOf,
  startOf,
  successorsOf,
} from "#community/groups";
import { heldPosts, heldWaitingIn } from "#community/discussions";
import { groupLog, reportsFor, reportsWaitingIn } from "#community/moderation";
import { type GroupRole, groupRules, notificationRules, reportRules, type Viewer } from "#community/rules";
import type { Db } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { asked } from "../../forms.ts";

export const PARTS = [
  "about",
  "door",
  "cover",
  "photo",
  "requests",
  "posts",
  "reports",
  "members",
  "invitations",
  "start",
  "log",
  "end",
] as const;
export type Part = (typeof PARTS)[number];

/** The sections open to this viewer: a site admin who is no member sees what admins may do. */
function partsFor(viewer: Viewer, group: Group): Part[] {
  const leads = groupRules.admit(viewer, group);
  const edits = groupRules.edit(viewer, group);
  const open: Record<Part, boolean> = {
    about: edits,
    door: edits && groupRules.manage(viewer, group),
    cover: edits,
    photo: edits,
    requests: leads,
    posts: groupRules.moderate(viewer, group),
    reports: reportRules.listIn(viewer, group),
    members: groupRules.remove(viewer, group, { id: "", role: null }) && groupRules.seeMembers(viewer, group),
    invitations: leads || groupRules.invite(viewer, group),
    start: edits,
    log: leads,
    end: groupRules.close(viewer, group),
  };
  return PARTS.filter((part) => open[part]);
}

/**
 * One section of a group's management.
 * @throws `not-found` like the group itself, `not-allowed` for people who only read it
 */
export async function managePage(db: Db, viewer: Viewer, idOrSlug: string, wanted: string | undefined, url: URL, now: Date) {
  const group = await groupFor(db, viewer, idOrSlug);
  const parts = partsFor(viewer, group);
  if (parts.length === 0) throw new Refusal("not-allowed", "Only those who look after the group manage it.");
  const part = wanted === undefined ? parts[0] : parts.find((name) => name === wanted);
  if (!part) throw notFound();
  return {
    group,
    parts,
    part,
    search: asked(url, "search"),
    mayAnnounce: notificationRules.announce(viewer, group),
    reportsCount: await reportsWaitingIn(db, viewer, group),
    postsCount: await heldWaitingIn(db, viewer, group),
    heir: await heirStanding(db, viewer, group, now),
    content: await contentOf(db, viewer, group, part, url, now),
  };
}
export type ManageData = Awaited<ReturnType<typeof managePage>>;

async function contentOf(db: Db, viewer: Viewer, group: Group, part: Part, url: URL, now: Date) {
  const after = asked(url, "after", 1000) || undefined;
  switch (part) {
    case "requests":
      if (asked(url, "view") === "decided") return { part, decided: await decidedRequests(db, viewer, group, { after }) };
      return { part, decided: null, mayLetIn: groupRules.letIn(viewer, group), requests: await requestsOf(db, viewer, group) };
    case "posts":
      return { part, ...(await heldPosts(db, viewer, { after, group })) };
    case "reports": {
      const tab = asked(url, "view") === "done" ? "resolved" : "open";
      return { part, tab, ...(await reportsFor(db, viewer, { tab, after, group })) };
    }
    case "members": {
      const search = asked(url, "search") || undefined;
      const [members, keptOut] = await Promise.all([
        membersOf(db, viewer, group, { after, search }),
        keptOutOf(db, viewer, group, { after: asked(url, "kept", 1000) || undefined, search }),
      ]);
      const rows = members.rows.map((row) => ({ ...row, may: mayDoWith(viewer, group, row) }));
      return { part, rows, next: members.next, keptOut };
    }
    case "invitations":
      return {
        part,
        mayInvite: groupRules.invite(viewer, group),
        friends: after ? [] : await friendsToInvite(db, viewer, group),
        ...(await invitationsOf(db, viewer, group, { after, now })),
      };
    case "start":
      return { part, lines: await startOf(db, viewer, group) };
    case "log":
      return { part, ...(await groupLog(db, viewer, group, { after })) };
    case "end":
      return {
        part,
        successors: await successorsOf(db, viewer, group),
        exports: groupRules.export(viewer, group) ? await groupExports(db, viewer, group, now) : null,
      };
    case "about":
    case "door":
    case "cover":
    case "photo":
      return { part };
  }
}
export type ManageContent<P extends Part> = Extract<ManageData["content"], { part: P }>;

const mayDoWith = (viewer: Viewer, group: Group, other: { id: string; role: GroupRole }) => ({
  setRole: groupRules.setRole(viewer, group, other),
  remove: groupRules.remove(viewer, group, other),
});
