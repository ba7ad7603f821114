import {
  listDecidedRequests,
  listFriendsToInvite,
  type Group,
  getGroupExportStatus,
  getGroup,
  getOwnerRequestState,
  listInvitations,
  listBans,
  listMembers,
  listJoinRequests,
  listStartItems,
  listSuccessors,
} from "#community/groups";
import { listPendingPosts } from "#community/discussions";
import { getGroupQueueCounts, listCases, listGroupLog } from "#community/moderation";
import {
  type GroupRole,
  groupRules,
  notificationRules,
  reportRules,
  type Viewer,
  webhookRules,
} from "#community/rules";
import { listWebhooks } from "#community/webhooks";
import type { Db } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import { readQueryParam } from "../../form-parsing.ts";
import { readCaseSort } from "../../moderation/queue/queue-params.ts";

export const SECTIONS = [
  "about",
  "access",
  "cover",
  "photo",
  "requests",
  "posts",
  "reports",
  "members",
  "invitations",
  "start",
  "webhooks",
  "log",
  "end",
] as const;
export type ManageSection = (typeof SECTIONS)[number];

/** Sections that this viewer may open. A site admin who is not a member gets only the sections for admins. */
function allowedSections(viewer: Viewer, group: Group): ManageSection[] {
  const leads = groupRules.approveMembers(viewer, group);
  const edits = groupRules.edit(viewer, group);
  const open: Record<ManageSection, boolean> = {
    about: edits,
    access: edits && groupRules.manage(viewer, group),
    cover: edits,
    photo: edits,
    requests: leads,
    posts: groupRules.moderate(viewer, group),
    reports: reportRules.listIn(viewer, group),
    members: groupRules.remove(viewer, group, { id: "", role: null }) && groupRules.seeMembers(viewer, group),
    invitations: leads || groupRules.invite(viewer, group),
    start: edits,
    webhooks: webhookRules.manageIn(viewer, group),
    log: leads,
    end: groupRules.close(viewer, group),
  };
  return SECTIONS.filter((part) => open[part]);
}

/**
 * Loads one section of a group's management.
 * @throws `not-found` for people who may not see the group, `not-allowed` for people who may only read it
 */
export async function loadManagePage(
  db: Db,
  viewer: Viewer,
  idOrSlug: string,
  wanted: string | undefined,
  url: URL,
  now: Date,
) {
  const group = await getGroup(db, viewer, idOrSlug);
  const parts = allowedSections(viewer, group);
  if (parts.length === 0) throw new Refusal("not-allowed", "Only moderators can manage the group.");
  const part = wanted === undefined ? parts[0] : parts.find((name) => name === wanted);
  if (!part) throw notFound();
  return {
    group,
    parts,
    part,
    search: readQueryParam(url, "search"),
    canAnnounce: notificationRules.announce(viewer, group),
    counts: await getGroupQueueCounts(db, viewer, group),
    successor: await getOwnerRequestState(db, viewer, group, now),
    content: await loadSection(db, viewer, group, part, url, now),
  };
}
export type ManageData = Awaited<ReturnType<typeof loadManagePage>>;

async function loadSection(db: Db, viewer: Viewer, group: Group, part: ManageSection, url: URL, now: Date) {
  const after = readQueryParam(url, "after", 1000) || undefined;
  switch (part) {
    case "requests":
      if (readQueryParam(url, "view") === "decided")
        return { part, decided: await listDecidedRequests(db, viewer, group, { after }) };
      return {
        part,
        decided: null,
        canApprove: groupRules.approveRequests(viewer, group),
        requests: await listJoinRequests(db, viewer, group),
      };
    case "posts":
      return { part, ...(await listPendingPosts(db, viewer, { after, group })) };
    case "reports": {
      const tab = readQueryParam(url, "view") === "done" ? "resolved" : "open";
      const sort = readCaseSort(url);
      return { part, tab, sort, ...(await listCases(db, viewer, { tab, sort, after, group })) };
    }
    case "members": {
      const search = readQueryParam(url, "search") || undefined;
      const [members, banned] = await Promise.all([
        listMembers(db, viewer, group, { after, search }),
        listBans(db, viewer, group, { after: readQueryParam(url, "kept", 1000) || undefined, search }),
      ]);
      const rows = members.rows.map((row) => ({ ...row, can: memberPermissions(viewer, group, row) }));
      return { part, rows, next: members.next, banned };
    }
    case "invitations":
      return {
        part,
        canInvite: groupRules.invite(viewer, group),
        friends: after ? [] : await listFriendsToInvite(db, viewer, group),
        ...(await listInvitations(db, viewer, group, { after, now })),
      };
    case "start":
      return { part, items: await listStartItems(db, viewer, group) };
    case "webhooks":
      return { part, webhooks: await listWebhooks(db, viewer, { groupId: group.id }) };
    case "log":
      return { part, ...(await listGroupLog(db, viewer, group, { after })) };
    case "end":
      return {
        part,
        successors: await listSuccessors(db, viewer, group),
        exports: groupRules.export(viewer, group) ? await getGroupExportStatus(db, viewer, group, now) : null,
      };
    case "about":
    case "access":
    case "cover":
    case "photo":
      return { part };
  }
}
export type ManageContent<P extends ManageSection> = Extract<ManageData["content"], { part: P }>;

const memberPermissions = (viewer: Viewer, group: Group, other: { id: string; role: GroupRole }) => ({
  setRole: groupRules.setRole(viewer, group, other),
  remove: groupRules.remove(viewer, group, other),
});
