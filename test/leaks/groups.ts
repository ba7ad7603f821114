import {
  decidedRequests,
  deletedGroups,
  everyRequest,
  friendsToInvite,
  groupExportFileFor,
  groupExports,
  groupFor,
  groupsDesk,
  groupsFor,
  topicsToDiscover,
  groupsOf,
  heirStanding,
  invitationFor,
  invitationsOf,
  keptOutOf,
  membersOf,
  ownBan,
  relatedGroups,
  requestsOf,
  rulesBefore,
  startOf,
  successorsOf,
} from "#community/groups";
import { groupLog, inspectDiscussion, inspectedDiscussions, inspectionOf, reportsFor, reportsWaitingIn } from "#community/moderation";
import { linesOfGroup } from "#community/transfer";
import { NAME } from "../leaky-place.ts";
import { database, now, type Reads } from "./house.ts";

/** Reads of groups and their content. */
export const groups: Reads = {
  "groups, mine": (db, viewer) => groupsFor(db, viewer, { tab: "mine" }),
  "groups, discover": (db, viewer) => groupsFor(db, viewer, { tab: "discover" }),
  "groups, by name": (db, viewer) => groupsFor(db, viewer, { tab: "discover", search: NAME }),
  "groups, discover, by size": (db, viewer) => groupsFor(db, viewer, { tab: "discover", sort: "members" }),
  "groups, discover, the newest": (db, viewer) =>
    groupsFor(db, viewer, { tab: "discover", sort: "newest", active: { within: "month", now: now() } }),
  "groups, discover, by invitation": (db, viewer) => groupsFor(db, viewer, { tab: "discover", sort: "name", door: "invite" }),
  "topics of groups": (db, viewer) => topicsToDiscover(db, viewer),
  "groups, waiting": (db, viewer) => groupsFor(db, viewer, { tab: "waiting" }),
  "group by id": (db, viewer, at) => groupFor(db, viewer, at.groupId),
  "groups of the author": (db, viewer, at) => groupsOf(db, viewer, at.authorId, {}),
  "group by slug": (db, viewer, at) => groupFor(db, viewer, at.slug),
  "groups, deleted": (db, viewer) => deletedGroups(db, viewer),
  members: async (db, viewer, at) => membersOf(db, viewer, await groupFor(db, viewer, at.groupId), {}),
  "members, friends": async (db, viewer, at) => membersOf(db, viewer, await groupFor(db, viewer, at.groupId), { who: "friends" }),
  "members, leading": async (db, viewer, at) => membersOf(db, viewer, await groupFor(db, viewer, at.groupId), { who: "leading" }),
  "reports in it": async (db, viewer, at) => reportsFor(db, viewer, { tab: "open", group: await groupFor(db, viewer, at.groupId) }),
  "reports in it, counted": async (db, viewer, at) => reportsWaitingIn(db, viewer, await groupFor(db, viewer, at.groupId)),
  requests: async (db, viewer, at) => requestsOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  "requests, decided": async (db, viewer, at) => decidedRequests(db, viewer, await groupFor(db, viewer, at.groupId)),
  "requests, all": async (db, viewer, at) => {
    const lines = [];
    for await (const it of everyRequest(db, viewer, await groupFor(db, viewer, at.groupId))) lines.push(it);
    return lines;
  },
  "kept out": async (db, viewer, at) => keptOutOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  "how one is kept out": (db, viewer, at) => ownBan(db, viewer, at.groupId),
  "desk of groups": (db, viewer) => groupsDesk(db, viewer),
  "rules before": async (db, viewer, at) => rulesBefore(db, viewer, await groupFor(db, viewer, at.groupId)),
  "related groups": async (db, viewer, at) => relatedGroups(db, viewer, await groupFor(db, viewer, at.groupId)),
  "related to an open group": async (db, viewer, at) => relatedGroups(db, viewer, await groupFor(db, viewer, at.groundId)),
  "start here": async (db, viewer, at) => startOf(db, viewer, await groupFor(db, viewer, at.groupId)),
  invitations: async (db, viewer, at) => invitationsOf(db, viewer, await groupFor(db, viewer, at.groupId), { now: now() }),
  "an invitation that is over": (db, viewer, at) => invitationFor(db, viewer, at.revokedToken, now()),
  "taking it along": async (db, viewer, at) => groupExports(db, viewer, await groupFor(db, viewer, at.groupId), now()),
  "taken along by an owner": (db, viewer, at) => groupExportFileFor(db, viewer, at.exportId, now()),
  "as it is taken along": (_, viewer, at) =>
    database.inTransaction(async (tx) => {
      const lines = [];
      for await (const line of linesOfGroup(tx, viewer, await groupFor(tx, viewer, at.groupId))) lines.push(line);
      return lines;
    }),
  log: async (db, viewer, at) => groupLog(db, viewer, await groupFor(db, viewer, at.groupId)),
  "looked into": (db, viewer, at) => inspectionOf(db, viewer, at.groupId, now()),
  "looked into, discussions": (db, viewer, at) => inspectedDiscussions(db, viewer, at.slug, { now: now() }),
  "looked into, posts": (_db, viewer, at) => database.inTransaction((tx) => inspectDiscussion(tx, viewer, at.discussionId, 1)),
  "standing of heirs": async (db, viewer, at) => heirStanding(db, viewer, await groupFor(db, viewer, at.groupId), now()),
  "friends to invite": async (db, viewer, at) => friendsToInvite(db, viewer, await groupFor(db, viewer, at.groupId)),
  successors: async (db, viewer, at) => successorsOf(db, viewer, await groupFor(db, viewer, at.groupId)),
};
