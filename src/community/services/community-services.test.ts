import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { acceptConversation } from "#community/conversations";
import type { Viewer } from "#community/rules";
import { defaultSettings } from "#community/settings";
import { Refusal } from "#platform/refusal";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { createLeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import {
  DELETED_WORD,
  INSIDE_WORD,
  GROUP_NAME,
  PRIVATE_WORD,
} from "../../../test/support/leak-matrix/marker-words.ts";
import { createAllViewers } from "../../../test/support/leak-matrix/viewers.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { COMMUNITY_SERVICES, type CommunityService, getInputSchema } from "./index.ts";
import { createServiceSamples } from "../../../test/support/services/service-samples.ts";

const database = await testDatabase();
const nameOf = ({ entity, name }: CommunityService) => `${entity}/${name}`;

/** Commands that API clients reach in another way or not at all, with the reason. */
const ELSEWHERE: Record<string, string> = {
  setMailLevel: "part of chooseMail",
  prepareImport: "the preview of a calendar file is a page",
  runEventImport: "the preview of a calendar file is a page",
  undoEventImport: "the outcome of an import is a page",
  addSubscription: "page of the group",
  removeSubscription: "page of the group",
  requestReading: "page of the group",
  saveConflictingDraft: "pages use it when they are closed",
  acceptRules: "rules are accepted on a page",
  finishWelcome: "the welcome steps are pages",
  saveWelcomeStep: "the welcome steps are pages",
  setStatus: "user routes of the API",
  setRole: "user routes of the API",
  requestExport: "sent by email to the person",
  requestGroupExport: "sent by email to the owner",
  answerFields: "profile questions are answered on a page",
  addProfileField: "admin pages",
  changeProfileField: "admin pages",
  moveProfileField: "admin pages",
  retireProfileField: "admin pages",
  restoreProfileField: "admin pages",
  inviteAddress: "its email leads to a page",
  setGroupPicture: "file routes of the API",
  removeGroupPicture: "file routes of the API",
  setGroupHeaderStyle: "file routes of the API",
  recordUpload: "file routes of the API",
  leaveOwnedGroups: "part of closing an account",
  addSiteRule: "admin page",
  editSiteRule: "admin page",
  retireSiteRule: "admin page",
  deleteSiteRule: "admin page",
  moveSiteRule: "admin page",
  addReportCategory: "admin page",
  renameReportCategory: "admin page",
  setReportCategoryOff: "admin page",
  moveReportCategory: "admin page",
  blockAddress: "admin page",
  unblockAddress: "admin page",
  checkWatchedWords: "part of each command that saves a text",
  isRepeatedText: "part of each command that saves a post",
  saveWatchedWord: "page of the moderation",
  removeWatchedWord: "page of the moderation",
  saveLinkDomain: "page of the moderation",
  removeLinkDomain: "page of the moderation",
  changeWebhook: "pages of webhooks",
  deleteWebhook: "pages of webhooks",
  pauseWebhook: "pages of webhooks",
  resumeWebhook: "pages of webhooks",
  resendDelivery: "pages of webhooks",
  sendTestDelivery: "pages of webhooks",
  createIncomingWebhook: "pages of webhooks",
  changeIncomingWebhook: "pages of webhooks",
  rotateIncomingWebhook: "pages of webhooks",
  pauseIncomingWebhook: "pages of webhooks",
  deleteIncomingWebhook: "pages of webhooks",
  createBot: "pages of bots",
  renameBot: "pages of bots",
  removeBotPhoto: "pages of bots",
  deleteBot: "pages of bots",
  forceArchiveGroup: "part of resolveCase",
  viewCase: "reads",
  claimCase: "cases are assigned on pages",
  releaseCase: "cases are assigned on pages",
  handOverCase: "cases are assigned on pages",
  markDuplicate: "cases are merged on pages",
  undoDecision: "decisions are undone on pages",
  undoLock: "helper of undoDecision",
  undoSlowMode: "helper of undoDecision",
  undoGroupBan: "helper of undoDecision",
  addCaseNote: "notes are written on pages",
  addPersonNote: "notes are written on pages",
  deletePersonNote: "notes are deleted on pages",
  inspectGroup: "admins give the reason on a page",
  endInspection: "admins give the reason on a page",
  inspectDiscussion: "reads",
  markDiscussionSeen: "part of markRead",
  clearDueBookmarks: "part of markRead",
  markResourceSeen: "reading a page",
  markEventSeen: "reading a page",
  markDatePollSeen: "reading a page",
  changeFeed: "calendar programs only",
  subscribeToPush: "browsers only",
  unsubscribeFromPush: "browsers only",
  setPushTextShown: "browsers only",
  createRole: "user routes of the API",
  deleteRole: "user routes of the API",
  assignRole: "user routes of the API",
  unassignRole: "user routes of the API",
  resetCommunity: "management API",
  writeAudit: "helper: writes the audit log",
  assertNoNewcomerLinks: "helper of sendMessage and sendFriendRequest",
  removeReportedPost: "helper of resolveCase",
  returnReportedPost: "helper of resolveCase",
  returnReportedResource: "helper of resolveCase",
  removeReportedResource: "helper of resolveCase",
  restoreReportedPost: "helper of resolveCase for appeals",
  restoreReportedResource: "helper of resolveCase for appeals",
  overruleSanction: "helper of resolveCase for appeals",
  appealSanction: "suspended people have no session: an emailed link leads to a page",
  unhideReviewedPost: "helper of resolveCase",
  unhideReviewedResource: "helper of resolveCase",
  startDiscussionOrAwaitApproval: "services use the variant that refuses instead of holding",
  replyOrAwaitApproval: "services use the variant that refuses instead of holding",
  addCommentOrAwaitApproval: "services use the variant that refuses instead of holding",
  addDocumentOrAwaitApproval: "services use the variant that refuses instead of holding",
  addFileOrAwaitApproval: "services use the variant that refuses instead of holding",
  addLinkOrAwaitApproval: "services use the variant that refuses instead of holding",
  updateProfileOrAwaitApproval: "services use the variant that refuses instead of holding",
  approvePending: "pending posts and resources are handled on pages",
  approvePendingResource: "pending posts and resources are handled on pages",
  getPendingForApproval: "helper of approvals",
  publishAndDelete: "helper of approvals",
  storePendingPost: "helper of writing commands",
  addsUnapprovedLinks: "helper of writing commands",
  approveReturnedPost: "pending posts are handled on pages",
  approveReturnedResource: "pending posts are handled on pages",
  approvePendingPost: "pending posts are handled on pages",
  approvePostOrEvent: "pending posts are handled on pages",
  returnPendingPost: "pending posts are handled on pages",
  withdrawPendingPost: "pending posts are handled on pages",
  attachUploads: "helper of writing commands",
  needsApproval: "helper of writing commands",
  assertQuota: "helper of storing commands",
  assertRenameLimit: "helper of naming commands",
  resubscribeToAllMail: "email settings page",
  revealEmail: "reads, on pages of staff",
  revealGuestAddress: "reads, on pages of staff",
  recordRecentSearch: "helper of the search page",
  recordSearchMiss: "helper of the search page",
  startImport: "admin pages",
  resumeImport: "admin pages",
  requestUndo: "admin pages",
  createEventOrAwaitApproval: "services use the variant that refuses instead of holding",
  checkInAttendee: "hosts check people in on a page",
  getEvidenceFile: "reads, for the file server",
  restoreOwnPost: "offered by the notice after a deletion",
  reportPosts: "services report each post alone",
};

const publicApis = import.meta.glob<Record<string, unknown>>("../*/index.ts", { eager: true });

test("every command of the community is available as a service or listed with a reason", () => {
  const commands = Object.values(publicApis).flatMap((publicApi) =>
    Object.entries(publicApi)
      .filter(
        ([, it]) =>
          typeof it === "function" && /^(async )?(function )?\w*\s*\(tx, (viewer|me)\b/.test(String(it)),
      )
      .map(([name]) => name),
  );
  expect(commands.length).toBeGreaterThan(100);
  const called = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"))
    .join("\n");
  const missing = commands.filter(
    (name) => !new RegExp(`\\b${name}\\b`).test(called) && !(name in ELSEWHERE),
  );
  expect(missing).toEqual([]);
});

test("each service has a unique name, a description and a schema", () => {
  const names = COMMUNITY_SERVICES.map(nameOf);
  expect(new Set(names).size).toBe(names.length);
  for (const service of COMMUNITY_SERVICES) {
    expect([nameOf(service), /^[A-Z].*\.$/.test(service.about)]).toEqual([nameOf(service), true]);
    const schema = JSON.stringify(getInputSchema(service));
    expect([nameOf(service), /"(?!properties)\w+":\{\}/.test(schema)]).toEqual([nameOf(service), false]);
  }
});

describe("services called on a secret group", () => {
  /** The result or the message of the refusal. The transaction is rolled back. */
  async function answerOf(service: CommunityService, viewer: Viewer, given: unknown): Promise<string> {
    const back = new Error("back");
    let answer = "";
    await database
      .inTransaction(async (tx) => {
        answer =
          JSON.stringify(
            await service.run({ tx, viewer, site: defaultSettings }, service.input.parse(given) as never),
          ) ?? "";
        throw back;
      })
      .catch((error: unknown) => {
        if (error instanceof Refusal)
          answer = `${error.reason}: ${error.message} ${JSON.stringify(error.fields)}`;
        else if (error !== back) throw error;
      });
    return answer;
  }

  test("reveal nothing to outsiders, and ask guests to sign in", { timeout: 60_000 }, async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, "secret");
    const samples = createServiceSamples(at, people.mira.id);
    expect(Object.keys(samples).sort()).toEqual(COMMUNITY_SERVICES.map(nameOf).sort());
    for (const [it, viewer] of await createAllViewers(database, people, at.groupId)) {
      for (const service of COMMUNITY_SERVICES) {
        const answer = await answerOf(service, viewer, samples[nameOf(service)]);
        const words =
          it === "member" ? [DELETED_WORD] : [GROUP_NAME, INSIDE_WORD, DELETED_WORD, PRIVATE_WORD];
        const leaks = words.filter(
          (word) => answer.includes(word) && !(it === "invited" && word === GROUP_NAME),
        );
        expect([it, nameOf(service), leaks]).toEqual([it, nameOf(service), []]);
        // Declining an invitation needs no account, and a guest's read state is not stored.
        if (
          it === "guest" &&
          !["Groups/declineInvitation", "Announcements/markSeen"].includes(nameOf(service))
        )
          expect([nameOf(service), answer]).toEqual([
            nameOf(service),
            expect.stringMatching(/^not-(signed-in|found)/),
          ]);
      }
    }
  });

  test("accept the sample calls from people who may make them", async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, "secret");
    await database.inTransaction((tx) =>
      acceptConversation(tx, people.tomas, { conversationId: at.conversationId }),
    );
    const samples = createServiceSamples(at, people.tomas.id);
    const through = [];
    for (const service of COMMUNITY_SERVICES)
      if (
        !/^(invalid|not-|conflict|gone|too-)/.test(
          await answerOf(service, people.mira, samples[nameOf(service)]),
        )
      )
        through.push(nameOf(service));
    expect(through).toEqual(
      expect.arrayContaining([
        "Posts/reply",
        "Discussions/start",
        "Messages/send",
        "Comments/add",
        "Users/block",
        "Notifications/markRead",
      ]),
    );
    expect(through.length).toBeGreaterThan(60);
  });
});
