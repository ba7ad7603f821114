import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import {
  getConversation,
  deleteMessage,
  hideMessage,
  getMessagesPage,
  NewConversation,
  sendMessage,
  startConversation,
} from "#community/conversations";
import { reportRules, type SignedIn } from "#community/rules";
import { listEmittedEvents, createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  purgeReports,
  viewCase,
  NewReport,
  listOwnReports,
  reportMessages,
  listCases,
  resolveCase,
} from "./index.ts";

const database = await testDatabase();
const { db, inTransaction: within } = database;

/** Mira and Tomas exchange twenty messages in turn; Tomas writes the even ones. */
async function talk() {
  const people = await createTestUsers(database);
  const { mira, tomas } = people;
  await run(db, sql`update people set privacy = '{"messages":"everyone"}'`);
  const { id } = await within((tx) =>
    startConversation(tx, mira, NewConversation.parse({ to: "tomas", body: "Word 1." })),
  );
  for (let n = 2; n <= 20; n++)
    await within((tx) =>
      sendMessage(tx, n % 2 ? mira : tomas, {
        conversationId: id,
        body: `Word ${n}. [see](https://example.org/${n})`,
      }),
    );
  const { messages } = await getMessagesPage(db, mira, await getConversation(db, mira, id));
  const ids = messages.map((it) => it.id);
  const report = (viewer: SignedIn, seqs: number[], reason = "This is no way to talk.") =>
    within((tx) =>
      reportMessages(
        tx,
        viewer,
        NewReport.parse({ conversationId: id, messageIds: seqs.map((seq) => ids[seq - 1]), reason }),
      ),
    );
  const look = (viewer: SignedIn, reportId: string) => within((tx) => viewCase(tx, viewer, reportId));
  return { ...people, id, ids, report, look };
}

describe("reported messages", () => {
  test("appear to staff as they were, with five messages before and after", async () => {
    const { mira, tomas, ines, ids, id, report, look } = await talk();
    const { id: reportId } = await report(mira, [10]);
    await within((tx) => deleteMessage(tx, tomas, { messageId: ids[9]! }));
    const shown = await look(ines, reportId);
    expect(shown.messages.map(({ seq }) => seq)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(shown.messages.filter(({ chosen }) => chosen)).toMatchObject([
      { seq: 10, author: { username: "tomas" }, html: expect.stringContaining("Word 10") },
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/Word (4|16|20)\b|href/);
    expect((await listCases(db, ines, { tab: "open" })).rows).toMatchObject([
      { reporter: { username: "mira" }, authors: [{ username: "tomas" }] },
    ]);
    // The conversation itself stays closed to staff.
    await expect(getConversation(db, ines, id)).rejects.toMatchObject({ reason: "not-found" });
    expect(await listEmittedEvents(database)).toContain("report.created");
  });

  test("do not include messages that the reporter has hidden", async () => {
    const { mira, ines, ids, report, look } = await talk();
    await within((tx) => hideMessage(tx, mira, { messageId: ids[11]! }));
    const { id: reportId } = await report(mira, [10]);
    expect((await look(ines, reportId)).messages.map(({ seq }) => seq)).toEqual([
      5, 6, 7, 8, 9, 10, 11, 13, 14, 15,
    ]);
  });

  test("appear with the messages around them, as far as the reporter can read", async () => {
    const { mira, ines, id, report, look } = await talk();
    await run(
      db,
      sql`update participants set joined_seq = 4 where conversation_id = ${id} and person_id = ${mira.id}`,
    );
    await expect(report(mira, [2])).rejects.toMatchObject({ reason: "not-found" });
    const { id: reportId } = await report(mira, [6, 20]);
    expect((await look(ines, reportId)).messages.map(({ seq }) => seq)).toEqual([
      5, 6, 7, 8, 9, 10, 11, 15, 16, 17, 18, 19, 20,
    ]);
  });

  test("include only the first message of a message request", async () => {
    const { mira, ines, id, report, look } = await talk();
    await run(
      db,
      sql`update participants set state = 'request', joined_seq = 5
        where conversation_id = ${id} and person_id = ${mira.id}`,
    );
    await expect(report(mira, [8])).rejects.toMatchObject({ reason: "not-found" });
    expect((await look(ines, (await report(mira, [6])).id)).messages.map(({ seq }) => seq)).toEqual([6]);
  });

  test("appear only to staff who are not involved", async () => {
    const { mira, tomas, noor, guest, ada, ines, report, look } = await talk();
    const { id } = await report(mira, [2]);
    for (const viewer of [mira, tomas, noor]) {
      await expect(look(viewer, id)).rejects.toMatchObject({ reason: "not-found" });
      await expect(listCases(db, viewer, { tab: "open" })).rejects.toMatchObject({ reason: "not-found" });
    }
    await expect(listCases(db, guest, { tab: "open" })).rejects.toMatchObject({ reason: "not-found" });
    await run(db, sql`update people set site_role = 'moderator' where id = ${tomas.id}`);
    const asStaff: SignedIn = { ...tomas, role: "moderator" };
    await expect(look(asStaff, id)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listCases(db, asStaff, { tab: "open" })).rows).toEqual([]);
    for (const viewer of [ada, ines]) await look(viewer, id);
    for (const odd of ["no id", randomUUID()])
      await expect(look(ada, odd)).rejects.toMatchObject({ reason: "not-found" });
    expect(reportRules.read(asStaff, { concernsViewer: true, resolved: false, group: null })).toBe(false);
  });

  test("get resolved once with a note, and the log names viewers and resolver", async () => {
    const { mira, ines, ada, report, look } = await talk();
    const { id } = await report(mira, [2]);
    await look(ines, id);
    await look(ines, id);
    const end = (viewer: SignedIn) =>
      within((tx) =>
        resolveCase(tx, viewer, { caseId: id, outcome: "upheld", note: "Spoken to.", reason: "" }),
      );
    await end(ines);
    await expect(end(ada)).rejects.toMatchObject({ reason: "conflict" });
    await expect(end(mira)).rejects.toMatchObject({ reason: "not-found" });
    expect((await listCases(db, ada, { tab: "open" })).rows).toEqual([]);
    expect((await listCases(db, ada, { tab: "resolved" })).rows).toMatchObject([{ outcome: "upheld" }]);
    expect(await look(ada, id)).toMatchObject({ note: "Spoken to.", resolvedBy: { username: "ines" } });
    const acts = await many(
      db,
      sql<{ act: string }>`select act from audit_events where object_kind = 'report' order by id`,
    );
    expect(acts.map(({ act }) => act)).toEqual(["report.read", "report.upheld", "report.read"]);
  });
});

test("the context of a report is purged a year after the report is resolved", async () => {
  const { mira, ines, report, look } = await talk();
  const { id } = await report(mira, [10]);
  await within((tx) =>
    resolveCase(tx, ines, { caseId: id, outcome: "upheld", note: "Spoken to.", reason: "" }),
  );
  database.clock.pass(366 * 86_400_000);
  await within(purgeReports);
  expect(await look(ines, id)).toMatchObject({
    note: "Spoken to.",
    messages: [{ seq: 10, html: "", author: { username: "tomas" } }],
  });
});

describe("reporter of messages", () => {
  test("sees the report and its outcome without the moderator's name", async () => {
    const { mira, tomas, ines, report } = await talk();
    const { id } = await report(mira, [2]);
    expect((await listOwnReports(db, mira)).rows).toMatchObject([
      { id, outcome: null, authors: ["Tomas"], reason: "This is no way to talk." },
    ]);
    await within((tx) =>
      resolveCase(tx, ines, {
        caseId: id,
        outcome: "rejected",
        note: "A quarrel among friends.",
        reason: "",
      }),
    );
    const { rows } = await listOwnReports(db, mira);
    expect(rows).toMatchObject([{ outcome: "rejected", resolvedAt: expect.any(Date) }]);
    expect(JSON.stringify(rows)).not.toMatch(/quarrel|Ines/);
    expect((await listOwnReports(db, tomas)).rows).toEqual([]);
  });
});

describe("reporting messages", () => {
  test("requires messages by others in own conversations", async () => {
    const { mira, noor, ids, report } = await talk();
    await expect(report(mira, [1])).rejects.toMatchObject({ reason: "not-found" });
    await expect(report(noor, [2])).rejects.toMatchObject({ reason: "not-found" });
    expect(NewReport.safeParse({ conversationId: ids[0], messageIds: [], reason: "x" }).success).toBe(false);
    expect(NewReport.safeParse({ conversationId: ids[0], messageIds: [ids[1]], reason: " " }).success).toBe(
      false,
    );
    expect(
      NewReport.safeParse({ conversationId: ids[0], messageIds: Array(21).fill(ids[1]), reason: "x" })
        .success,
    ).toBe(false);
  });

  test("has a limit of twenty a day, or five for newcomers", async () => {
    const { mira, report } = await talk();
    const newcomer: SignedIn = { ...mira, trust: "new" };
    for (let n = 0; n < 5; n++) await report(newcomer, [2]);
    await expect(report(newcomer, [2])).rejects.toMatchObject({ reason: "too-many" });
    for (let n = 5; n < 20; n++) await report(mira, [2]);
    await expect(report(mira, [2])).rejects.toMatchObject({ reason: "too-many" });
    database.clock.pass(86_400_001);
    await report(newcomer, [2]);
  });
});
