import { type Db, many, maybeOne, sql } from "#platform/database";
import { listActivity } from "#community/activity";
import {
  countFriends,
  getFriendLink,
  listMutualFriends,
  listFriends,
  getFriendState,
  getRelationship,
} from "#community/friends";
import { countUnsubscriptions, previewDecision } from "#community/mail";
import {
  getEvidenceFile,
  getGuestReport,
  listAccountHistory,
  listOwnReports,
  listReportsAbout,
  getQueueCounts,
  getResponseTimes,
  listCaseGroups,
  listResponseTimes,
  listCases,
  listPersonNotes,
  listSiteLog,
  Resolution,
  viewCase,
} from "#community/moderation";
import {
  listDirectory,
  listOwnPendingProfiles,
  listSearchableFields,
  hasRoleCondition,
  getPerson,
  getPicture,
  listApiUsers,
  listPersonSummaries,
} from "#community/accounts";
import { listBlockedAddresses, listLinkDomains, listWatchedWords } from "#community/prevention";
import { listPushDevices } from "#community/push";
import { createTestAccounts } from "../accounts/test-accounts.ts";
import { createMailContext } from "../mail/mail-context.ts";
import { GUEST_REPORT_TOKEN } from "./marked-discussions.ts";
import { INSIDE_WORD } from "./marker-words.ts";
import { database, now, type Reads } from "./leak-context.ts";

const findCaseId = async (db: Db, postId: string) =>
  (
    await maybeOne(
      db,
      sql<{ id: string }>`select case_id as id from reports where post_id = ${postId} and not appeal`,
    )
  )?.id ?? postId;

/** Reads of people and their relationships. */
export const peopleReads: Reads = {
  "activity of the author": (db, viewer, at) => listActivity(db, viewer, at.authorId, {}),
  "watched words": (db, viewer) => listWatchedWords(db, viewer),
  "link domains": (db, viewer) => listLinkDomains(db, viewer, {}),
  "blocked addresses": (db, viewer) => listBlockedAddresses(db, viewer, {}),
  reports: (db, viewer) => listCases(db, viewer, { tab: "open" }),
  "reports, by group": (db, viewer, at) => listCases(db, viewer, { tab: "open", inGroup: at.groupId }),
  "groups with reports": (db, viewer) => listCaseGroups(db, viewer),
  "counts of the queue": (db, viewer) => getQueueCounts(db, viewer),
  "response times": (db, viewer) => listResponseTimes(db, viewer, now()),
  "response times, median": (db, viewer) => getResponseTimes(db, viewer, now()),
  case: (db, viewer, at) =>
    database.inTransaction(async (tx) => viewCase(tx, viewer, await findCaseId(db, at.replyId))),
  "file of a case": async (db, viewer, at) => {
    const file = await maybeOne(
      db,
      sql<{ id: string }>`select f.id from report_files f join reports r on r.id = f.report_id
        where r.post_id = ${at.replyId}`,
    );
    // Only some communities have a report of a post with a picture.
    return file ? database.inTransaction((tx) => getEvidenceFile(tx, viewer, file.id)) : null;
  },
  "letter about a decision": async (db, viewer, at) =>
    previewDecision(
      { ...createTestAccounts(database), ...createMailContext(database), database },
      viewer,
      Resolution.parse({
        caseId: await findCaseId(db, at.replyId),
        outcome: "removed",
        reason: "x",
        note: "",
      }),
    ),
  "reports about the author": (db, viewer, at) => listReportsAbout(db, viewer, at.authorId),
  "what was done to the author": (db, viewer, at) => listAccountHistory(db, viewer, at.authorId),
  "log of the place": (db, viewer) => listSiteLog(db, viewer, {}),
  "own profile texts": (db, viewer) => listOwnPendingProfiles(db, viewer),
  "notes on the author": (db, viewer, at) => listPersonNotes(db, viewer, [at.authorId]),
  "a guest's report": (db) => getGuestReport(db, GUEST_REPORT_TOKEN, now()),
  "own reports": (db, viewer) => listOwnReports(db, viewer),
  friends: (db, viewer) => listFriends(db, viewer, { tab: "friends" }),
  "friends, counted": (db, viewer, at) => countFriends(db, viewer, at.authorId),
  "a friend link that is over": (db, viewer, at) => getFriendLink(db, viewer, at.friendToken, now()),
  "friends in common": (db, viewer, at) => listMutualFriends(db, viewer, at.authorId),
  person: (db, viewer, at) => getPerson(db, viewer, at.authorId),
  directory: (db, viewer) => listDirectory(db, viewer, {}),
  "people with a role": async (db, viewer) => {
    const withRole = sql<{
      id: string;
    }>`select t.id from people t where ${hasRoleCondition(viewer, "AuthenticatedUser", sql.ref("t.id"))}`;
    return [
      ...(
        await listApiUsers(
          db,
          viewer,
          (await many(db, withRole)).map(({ id }) => id),
        )
      ).values(),
    ];
  },
  "directory, by what nobody else is told": async (db, viewer, at) =>
    (await listDirectory(db, viewer, { answers: { [at.fieldId]: INSIDE_WORD } })).people.length > 0
      ? INSIDE_WORD
      : null,
  "fields to ask by": (db, viewer) => listSearchableFields(db, viewer),
  suggestions: (db, viewer) => listFriends(db, viewer, { tab: "suggestions" }),
  "browsers that are told": (db, viewer) => listPushDevices(db, viewer),
  "how much mail was ended": (db, viewer) => countUnsubscriptions(db, viewer),
  "people by id": (db, viewer, at) => listPersonSummaries(db, viewer, [at.authorId]),
  "tie to somebody": (db, viewer, at) => getRelationship(db, viewer, at.authorId),
  "friend state": (db, viewer, at) => getFriendState(db, viewer, at.authorId),
  "picture of somebody": (db, viewer, at) => getPicture(db, viewer, at.uploadId),
};
