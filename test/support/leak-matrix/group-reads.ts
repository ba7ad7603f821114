import {
  listDecidedRequests,
  listDeletedGroups,
  iterateJoinRequests,
  listFriendsToInvite,
  getGroupExportFile,
  getGroupExportStatus,
  getGroup,
  getGroupApprovalQueue,
  listGroups,
  listDiscoverableTopics,
  listGroupsOfPerson,
  getOwnerRequestState,
  getInvitation,
  listInvitations,
  listBans,
  listMembers,
  getOwnBan,
  listRelatedGroups,
  listJoinRequests,
  listPreviousRules,
  listStartItems,
  listSuccessors,
} from "#community/groups";
import {
  listGroupLog,
  inspectDiscussion,
  listInspectedDiscussions,
  getInspection,
  listCases,
  countOpenCases,
  getGroupQueueCounts,
} from "#community/moderation";
import { writeGroupLines } from "#community/import-export";
import { GROUP_NAME } from "./marker-words.ts";
import { database, now, type Reads } from "./leak-context.ts";

/** Reads of groups and their content. */
export const groupReads: Reads = {
  "groups, mine": (db, viewer) => listGroups(db, viewer, { tab: "mine" }),
  "groups, discover": (db, viewer) => listGroups(db, viewer, { tab: "discover" }),
  "groups, by name": (db, viewer) => listGroups(db, viewer, { tab: "discover", search: GROUP_NAME }),
  "groups, discover, by size": (db, viewer) => listGroups(db, viewer, { tab: "discover", sort: "members" }),
  "groups, discover, the newest": (db, viewer) =>
    listGroups(db, viewer, { tab: "discover", sort: "newest", active: { within: "month", now: now() } }),
  "groups, discover, invite only": (db, viewer) =>
    listGroups(db, viewer, { tab: "discover", sort: "name", joinPolicy: "invite" }),
  "topics of groups": (db, viewer) => listDiscoverableTopics(db, viewer),
  "groups, waiting": (db, viewer) => listGroups(db, viewer, { tab: "waiting" }),
  "group by id": (db, viewer, at) => getGroup(db, viewer, at.groupId),
  "groups of the author": (db, viewer, at) => listGroupsOfPerson(db, viewer, at.authorId, {}),
  "group by slug": (db, viewer, at) => getGroup(db, viewer, at.slug),
  "groups, deleted": (db, viewer) => listDeletedGroups(db, viewer),
  members: async (db, viewer, at) => listMembers(db, viewer, await getGroup(db, viewer, at.groupId), {}),
  "members, friends": async (db, viewer, at) =>
    listMembers(db, viewer, await getGroup(db, viewer, at.groupId), { who: "friends" }),
  "members, leading": async (db, viewer, at) =>
    listMembers(db, viewer, await getGroup(db, viewer, at.groupId), { who: "leading" }),
  "reports in it": async (db, viewer, at) =>
    listCases(db, viewer, { tab: "open", group: await getGroup(db, viewer, at.groupId) }),
  "reports in it, counted": async (db, viewer, at) =>
    countOpenCases(db, viewer, await getGroup(db, viewer, at.groupId)),
  "counts of its queue": async (db, viewer, at) =>
    getGroupQueueCounts(db, viewer, await getGroup(db, viewer, at.groupId)),
  requests: async (db, viewer, at) => listJoinRequests(db, viewer, await getGroup(db, viewer, at.groupId)),
  "requests, decided": async (db, viewer, at) =>
    listDecidedRequests(db, viewer, await getGroup(db, viewer, at.groupId)),
  "requests, all": async (db, viewer, at) => {
    const lines = [];
    for await (const it of iterateJoinRequests(db, viewer, await getGroup(db, viewer, at.groupId)))
      lines.push(it);
    return lines;
  },
  banned: async (db, viewer, at) => listBans(db, viewer, await getGroup(db, viewer, at.groupId)),
  "how one is kept out": (db, viewer, at) => getOwnBan(db, viewer, at.groupId),
  "desk of groups": (db, viewer) => getGroupApprovalQueue(db, viewer),
  "rules before": async (db, viewer, at) =>
    listPreviousRules(db, viewer, await getGroup(db, viewer, at.groupId)),
  "related groups": async (db, viewer, at) =>
    listRelatedGroups(db, viewer, await getGroup(db, viewer, at.groupId)),
  "related to an open group": async (db, viewer, at) =>
    listRelatedGroups(db, viewer, await getGroup(db, viewer, at.groundId)),
  "start here": async (db, viewer, at) => listStartItems(db, viewer, await getGroup(db, viewer, at.groupId)),
  invitations: async (db, viewer, at) =>
    listInvitations(db, viewer, await getGroup(db, viewer, at.groupId), { now: now() }),
  "an invitation that is over": (db, viewer, at) => getInvitation(db, viewer, at.revokedToken, now()),
  "taking it along": async (db, viewer, at) =>
    getGroupExportStatus(db, viewer, await getGroup(db, viewer, at.groupId), now()),
  "taken along by an owner": (db, viewer, at) => getGroupExportFile(db, viewer, at.exportId, now()),
  "as it is taken along": (_, viewer, at) =>
    database.inTransaction(async (tx) => {
      const lines = [];
      for await (const line of writeGroupLines(tx, viewer, await getGroup(tx, viewer, at.groupId)))
        lines.push(line);
      return lines;
    }),
  log: async (db, viewer, at) => listGroupLog(db, viewer, await getGroup(db, viewer, at.groupId)),
  "looked into": (db, viewer, at) => getInspection(db, viewer, at.groupId, now()),
  "looked into, discussions": (db, viewer, at) =>
    listInspectedDiscussions(db, viewer, at.slug, { now: now() }),
  "looked into, posts": (_db, viewer, at) =>
    database.inTransaction((tx) => inspectDiscussion(tx, viewer, at.discussionId, 1)),
  "state of an owner request": async (db, viewer, at) =>
    getOwnerRequestState(db, viewer, await getGroup(db, viewer, at.groupId), now()),
  "friends to invite": async (db, viewer, at) =>
    listFriendsToInvite(db, viewer, await getGroup(db, viewer, at.groupId)),
  successors: async (db, viewer, at) => listSuccessors(db, viewer, await getGroup(db, viewer, at.groupId)),
};
