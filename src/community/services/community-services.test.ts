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
import { COMMUNITY_SERVICES, type CommunityService, inputSchemaOf } from "./index.ts";
import { createServiceSamples } from "../../../test/support/services/service-samples.ts";

const database = await testDatabase();
const nameOf = ({ noun, name }: CommunityService) => `${noun}/${name}`;

/** Commands that API clients reach in another way or not at all, with the reason. */
const ELSEWHERE: Record<string, string> = {
  setMailLevel: "a part of chooseMail",
  saveDraftBeside: "for a page that is left without an answer",
  acceptRules: "rules are read on a page",
  finishWelcome: "the round for newcomers is a page",
  reachWelcomeStep: "the round for newcomers is a page",
  setStatus: "calls of users",
  setRole: "calls of users",
  requestExport: "comes by mail, for its person",
  requestGroupExport: "comes by mail, for whoever asked",
  answerFields: "what everybody is asked stands on a page",
  addProfileField: "the desk of admins",
  changeProfileField: "the desk of admins",
  moveProfileField: "the desk of admins",
  retireProfileField: "the desk of admins",
  restoreProfileField: "the desk of admins",
  inviteAddress: "its mail leads to a page",
  setGroupPicture: "files come by the calls of files",
  removeGroupPicture: "files come by the calls of files",
  setGroupHeaderStyle: "files come by the calls of files",
  recordUpload: "files come by the calls of files",
  leaveOwnedGroups: "a part of closing an account",
  forceArchiveGroup: "a part of resolveReport",
  viewReport: "reads",
  inspectGroup: "an admin says on a page why they look",
  endInspection: "an admin says on a page why they look",
  inspectDiscussion: "reads",
  markDiscussionSeen: "a part of markRead",
  clearDueBookmarks: "a part of markRead",
  markResourceSeen: "reading a page",
  subscribeToPush: "browsers of pages",
  unsubscribeFromPush: "browsers of pages",
  setPushTextShown: "browsers of pages",
  createRole: "calls of users",
  deleteRole: "calls of users",
  assignRole: "calls of users",
  unassignRole: "calls of users",
  resetCommunity: "the management of a house",
  writeAudit: "no verb: writes down what one did",
  removeReportedPost: "no verb: a part of ending a report",
  removeReportedResource: "no verb: a part of ending a report",
  restoreReportedPost: "no verb: a part of answering an appeal",
  restoreReportedResource: "no verb: a part of answering an appeal",
  overruleSanction: "no verb: a part of answering an appeal",
  appealSanction: "whoever is shut out has no session: a page, by the link of a mail",
  unhideReviewedPost: "no verb: a part of ending a report",
  startDiscussionOrHold: "who sends it cannot be told that it waits: the ones that do not",
  replyOrHold: "who sends it cannot be told that it waits: the ones that do not",
  addCommentOrHold: "who sends it cannot be told that it waits: the ones that do not",
  approvePendingPost: "what waits stands on pages",
  returnPendingPost: "what waits stands on pages",
  withdrawPendingPost: "what waits stands on pages",
  attachUploads: "no verb: a part of those that write",
  assertQuota: "no verb: a part of those that store",
  assertRenameLimit: "no verb: a part of those that give a name",
  resumeAllMail: "the settings of mail",
  revealEmail: "reads, at the desk of staff",
  recordRecentSearch: "no verb: what the page of searches keeps of what was asked there",
  recordSearchMiss: "no verb: what the page of searches keeps of what was not found",
  startImport: "the desk of admins",
  resumeImport: "the desk of admins",
  requestUndo: "the desk of admins",
};

const doors = import.meta.glob<Record<string, unknown>>("../*/index.ts", { eager: true });

test("every command of the community is a service or listed with a reason", () => {
  const verbs = Object.values(doors).flatMap((door) =>
    Object.entries(door)
      .filter(
        ([, it]) =>
          typeof it === "function" && /^(async )?(function )?\w*\s*\(tx, (viewer|me)\b/.test(String(it)),
      )
      .map(([name]) => name),
  );
  expect(verbs.length).toBeGreaterThan(100);
  const called = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"))
    .join("\n");
  const missing = verbs.filter((name) => !new RegExp(`\\b${name}\\b`).test(called) && !(name in ELSEWHERE));
  expect(missing).toEqual([]);
});

test("each service has a unique name, a description and a schema", () => {
  const names = COMMUNITY_SERVICES.map(nameOf);
  expect(new Set(names).size).toBe(names.length);
  for (const service of COMMUNITY_SERVICES) {
    expect([nameOf(service), /^[A-Z].*\.$/.test(service.about)]).toEqual([nameOf(service), true]);
    const schema = JSON.stringify(inputSchemaOf(service));
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

  test("reveal nothing to outsiders, and guests are asked to sign in", { timeout: 60_000 }, async () => {
    const people = await createTestUsers(database);
    const at = await createLeakCommunity(database, people, "secret");
    const samples = createServiceSamples(at, people.mira.id);
    expect(Object.keys(samples).sort()).toEqual(COMMUNITY_SERVICES.map(nameOf).sort());
    for (const [it, viewer] of await createAllViewers(database, people, at.groupId)) {
      for (const service of COMMUNITY_SERVICES) {
        const answer = await answerOf(service, viewer, samples[nameOf(service)]);
        const words =
          it === "member" ? [DELETED_WORD] : [GROUP_NAME, INSIDE_WORD, DELETED_WORD, PRIVATE_WORD];
        const told = words.filter(
          (word) => answer.includes(word) && !(it === "invited" && word === GROUP_NAME),
        );
        expect([it, nameOf(service), told]).toEqual([it, nameOf(service), []]);
        // Declining an invitation needs no account, and a guest's read state is not stored.
        if (it === "guest" && !["Groups/declineInvitation", "Announcements/saw"].includes(nameOf(service)))
          expect([nameOf(service), answer]).toEqual([
            nameOf(service),
            expect.stringMatching(/^not-(signed-in|found)/),
          ]);
      }
    }
  });

  test("accept the samples from people who may call them", async () => {
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
        "Comments/write",
        "Users/block",
        "Notifications/read",
      ]),
    );
    expect(through.length).toBeGreaterThan(60);
  });
});
