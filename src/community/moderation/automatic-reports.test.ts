import { describe, expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { updateProfile } from "#community/accounts";
import { editEvent, EventChange } from "#community/calendar";
import { GroupChange, updateGroup } from "#community/groups";
import { addLink, NewLink } from "#community/resources";
import { editPost, NewTitle, PostEdit, renameDiscussion } from "#community/discussions";
import { saveWatchedWord, WatchedWordForm } from "#community/prevention";
import type { Viewer } from "#community/rules";
import { createTestEvent, eventFields } from "../../../test/support/calendar-setup.ts";
import {
  approvePost,
  createApprovalTalk,
  database,
  db,
  clock,
  listTexts,
  sendReply,
  within,
} from "../../../test/support/moderation/first-posts-setup.ts";
import {
  getTransparencyReport,
  iterateDecisions,
  listCases,
  Resolution,
  resolveCase,
  viewCase,
} from "./index.ts";

const watch = (who: Viewer, phrase: string, action = "flag") =>
  within((tx) => saveWatchedWord(tx, who, WatchedWordForm.parse({ phrase, action })));

/** A public group in which Mira wrote; the words "casino" and "poker" are flagged. */
async function setup() {
  const setting = await createApprovalTalk("off", "public");
  await watch(setting.ada, "casino");
  await watch(setting.ada, "poker*");
  const edit = (postId: string, body: string, version: number) =>
    within((tx) => editPost(tx, setting.mira, PostEdit.parse({ postId, body, version })));
  return { ...setting, edit };
}

const listReports = () =>
  many(
    db,
    sql<{ kind: string; reason: string; snapshot: string }>`
      select c.subject_kind as kind, r.reason, m.body_html as snapshot
      from reports r join cases c on c.id = r.case_id left join reported_messages m on m.report_id = r.id
      order by r.created_at, r.id`,
  );

describe("text with a flagged word", () => {
  test("goes online, and the moderators of its group get a case that names the word", async () => {
    const { ada, mira, elsa, nora, group, discussion } = await setup();
    const sent = await sendReply(mira, discussion.id, { body: "A **casino** and pokers." });
    expect(sent).not.toHaveProperty("waits");
    expect((await listTexts(mira, discussion.id)).at(-1)).toBe("A casino and pokers.");
    for (const moderator of [elsa, ada]) {
      const { rows } = await listCases(db, moderator, { tab: "open" });
      expect(rows).toMatchObject([
        { reporter: null, reason: "“casino”, “poker*”", authors: [{ id: mira.id }], group: { id: group.id } },
      ]);
      const found = await within((tx) => viewCase(tx, moderator, rows[0]!.caseId));
      expect(found.messages).toMatchObject([{ html: "<p>A <strong>casino</strong> and pokers.</p>\n" }]);
      expect(found.timeline).toMatchObject([{ act: "flagged", by: null }]);
    }
    for (const other of [mira, nora])
      await expect(listCases(db, other, { tab: "open" })).rejects.toMatchObject({ reason: "not-found" });
    expect(await sendReply(ada, discussion.id, { body: "Staff say casino." })).not.toHaveProperty("waits");
    expect(await listReports()).toHaveLength(1);
  });

  test("has one case, and no second report for the same words and text", async () => {
    const { mira, discussion, edit } = await setup();
    const clientId = "01900000-0000-7000-8000-00000000000b";
    const sent = await sendReply(mira, discussion.id, { body: "A casino.", clientId });
    await sendReply(mira, discussion.id, { body: "A casino.", clientId });
    const postId = "id" in sent ? sent.id : "";
    await edit(postId, "A casino in town.", 1);
    await edit(postId, "A shop.", 2);
    await edit(postId, "A casino.", 3);
    expect(await listReports()).toHaveLength(1);
    await edit(postId, "A casino with poker.", 4);
    expect((await listReports()).map(({ reason }) => reason)).toEqual(["“casino”", "“poker*”"]);
    expect(await many(db, sql`select from cases`)).toHaveLength(1);
  });

  test("is not reported while or after it waits for approval", async () => {
    const { ada, mira, elsa, discussion } = await setup();
    await watch(ada, "offer", "approve");
    const held = await sendReply(mira, discussion.id, { body: "A casino offer." });
    await approvePost(elsa, "waits" in held ? held.waits : "");
    expect((await listTexts(mira, discussion.id)).at(-1)).toBe("A casino offer.");
    expect(await listReports()).toEqual([]);
  });

  test("is reported in titles, events, resources, profiles and groups", async () => {
    const { mira, tomas, group, discussion } = await setup();
    const event = await createTestEvent(database, tomas, group.id);
    const fields = { ...eventFields(clock.at), title: "Poker", eventId: event.id, changes: 0, scope: "this" };
    await within(async (tx) => {
      await renameDiscussion(
        tx,
        mira,
        NewTitle.parse({ discussionId: discussion.id, title: "The <casino>" }),
      );
      await editEvent(tx, tomas, EventChange.parse(fields));
      await addLink(tx, mira, NewLink.parse({ url: "https://a.example/", title: "The casino" }));
      await updateProfile(tx, mira, mira.id, { bio: "Owner of a casino." });
      await updateGroup(tx, tomas, GroupChange.parse({ groupId: group.id, purpose: "Poker nights." }));
    });
    expect((await listReports()).map(({ kind, reason }) => [kind, reason])).toEqual([
      ["post", "“casino”"],
      ["post", "“poker*”"],
      ["resource", "“casino”"],
      ["person", "“casino”"],
      ["group", "“poker*”"],
    ]);
    expect((await listReports())[0]!.snapshot).toMatch(/^<p>The &lt;casino&gt;<\/p>\n<p>/);
  });
});

test("statistics and decisions tell automatic reports apart", async () => {
  const { ada, mira, elsa, discussion } = await setup();
  for (const n of [1, 2, 3]) await sendReply(mira, discussion.id, { body: `Casino ${n}.` });
  const { rows } = await listCases(db, elsa, { tab: "open" });
  const input = { caseId: rows[0]!.caseId, outcome: "removed", reason: "No adverts.", note: "" };
  await within((tx) => resolveCase(tx, elsa, Resolution.parse(input)));
  expect((await getTransparencyReport(db, clock.at))[0]).toMatchObject({
    reports: 0,
    automatic: 3,
    upheld: 0,
    removed: "few",
  });
  const decisions = [];
  for await (const decision of iterateDecisions(db, ada)) decisions.push(decision);
  expect(decisions).toMatchObject([
    { actions: ["removed"], source: "own initiative", isAutomatic: true, category: "other" },
  ]);
});
