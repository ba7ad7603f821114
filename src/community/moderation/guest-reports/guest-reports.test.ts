import { beforeEach, describe, expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { createSecret, hashSecret } from "#platform/ids";
import { Limits } from "#platform/limits";
import { deletePost } from "#community/discussions";
import { SERVER_LIMITS } from "#community/rules";
import { openSettings } from "#community/settings";
import { createPerson } from "../../../../test/support/test-users.ts";
import { createGuestReportSetup } from "../../../../test/support/moderation/guest-report-setup.ts";
import { setUpReporting } from "../../../../test/support/moderation/reports.ts";
import { createReportSetup } from "../../../../test/support/moderation/report-setup.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  claimCase,
  getTransparencyReport,
  iterateDecisions,
  listCases,
  purgeReports,
  purgeUnconfirmedGuestReports,
  revealGuestAddress,
} from "../index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const {
  report: reportAsMember,
  view,
  resolve,
  listReportIds,
  setupReportedPost,
} = createReportSetup(database);
const { aLink } = setUpReporting(database);
const guests = createGuestReportSetup(database);
beforeEach(() => void Object.assign(guests.app, { limits: new Limits(), settings: openSettings(database) }));
const { submit, token, confirm, report, status, mailsTo, mailDecisions, countStored } = guests;

const setup = async () => {
  const place = await setupReportedPost("public");
  return { ...place, subject: { kind: "post", subjectId: place.post.id } };
};

describe("report of a guest", () => {
  test("counts once its address is confirmed, and joins the case of members' reports", async () => {
    const { tomas, mira, post, subject } = await setup();
    await submit(subject);
    expect(await countStored()).toEqual({ guests: 1, reports: 0, cases: 0 });
    const secret = await token();
    expect(await status(secret)).toMatchObject({ state: "unconfirmed", reason: "It sells beans." });
    await confirm(secret);
    const member = await reportAsMember(mira, post.id);
    expect(await countStored()).toEqual({ guests: 1, reports: 2, cases: 1 });
    const shown = await view(tomas, member.id);
    expect(shown).toMatchObject({
      kind: "post",
      reporter: { username: "mira" },
      also: [{ reporter: null, guest: { name: null, address: null }, category: { id: "spam" } }],
    });
    expect(shown.timeline.map(({ act, by }) => [act, by?.username ?? null])).toEqual([
      ["guest-reported", null],
      ["reported", "mira"],
    ]);
    expect(shown.messages[0]!.html).toContain("Buy <em>my</em>");
  });

  test("is confirmed once: another click changes nothing", async () => {
    const { subject } = await setup();
    const { secret } = await report(subject);
    const before = await countStored();
    await confirm(secret);
    await Promise.all([confirm(secret), confirm(secret)]);
    expect(await countStored()).toEqual(before);
    expect((await mailsTo()).map(({ subject: line }) => line).sort()).toEqual([
      "Confirm your report at Kith",
      "We have received your report",
    ]);
  });

  test("shows its status, and mails the decision once", async () => {
    const { tomas, subject } = await setup();
    const { id, secret } = await report(subject);
    expect(await status(secret)).toMatchObject({ state: "received", outcome: null });
    const { caseId } = await view(tomas, id);
    await within((tx) => claimCase(tx, tomas, { caseId }));
    expect(await status(secret)).toMatchObject({ state: "in-progress" });
    await resolve(tomas, id, "removed", "No shops.");
    expect(await status(secret)).toMatchObject({ state: "decided", outcome: "upheld" });
    await mailDecisions();
    await mailDecisions();
    const letters = (await mailsTo()).filter(({ subject: line }) => line === "Decision on your report");
    expect(letters).toHaveLength(1);
    expect(letters[0]!.text).toContain("was upheld");
    expect(letters[0]!.text).not.toContain("No shops.");
    expect(letters[0]!.text).toContain(`https://kith.test/report/status/${secret}`);
    // The token is derived from the id with the server's secret, and the database has its digest only.
    const stored = await one(db, sql<{ row: string }>`select g::text as row from guest_reports g`);
    expect(stored.row).not.toContain(secret);
  });

  test("keeps a random token of an earlier version, which later mails do not carry", async () => {
    const { tomas, subject } = await setup();
    const { id } = await report(subject);
    const earlier = createSecret();
    await run(db, sql`update guest_reports set token_hash = ${hashSecret(earlier)}`);
    await resolve(tomas, id, "removed", "No shops.");
    expect(await status(earlier)).toMatchObject({ state: "decided" });
    await mailDecisions();
    const letter = (await mailsTo()).find(({ subject: line }) => line === "Decision on your report");
    expect(letter!.text).not.toContain("/report/status/");
  });

  test.each(["private", "secret"] as const)("of content in a %s group is refused", async (visibility) => {
    const { post } = await setupReportedPost(visibility);
    await expect(submit({ kind: "post", subjectId: post.id })).rejects.toMatchObject({ reason: "not-found" });
    expect(await countStored()).toEqual({ guests: 0, reports: 0, cases: 0 });
    expect(await mailsTo()).toEqual([]);
  });

  test("can be about a person, a group or a resource that guests see", async () => {
    const { noor, tomas, group, ada } = await setup();
    const resource = await aLink(tomas, group.id);
    await report({ kind: "person", subjectId: noor.id, email: "a@example.net" });
    await report({ kind: "group", subjectId: group.id, email: "b@example.net" });
    await report({ kind: "resource", subjectId: resource.id, email: "c@example.net" });
    const { rows } = await listCases(db, ada, { tab: "open" });
    expect(rows.map(({ kind, guest }) => `${kind} ${guest?.address}`).sort()).toEqual([
      "group b…@e…",
      "person a…@e…",
      "resource c…@e…",
    ]);
  });

  test("never hides a post, however many there are", async () => {
    const { subject, post } = await setup();
    for (const n of [1, 2, 3, 4, 5])
      await report({ ...subject, email: `g${n}@example.net` }, { address: `203.0.${n}.7` });
    const { state } = await one(db, sql<{ state: string }>`select state from posts where id = ${post.id}`);
    expect(state).toBe("published");
  });

  test("counts as a report of a person in statistics and decisions", async () => {
    const { ada, tomas, subject } = await setup();
    for (const n of [1, 2, 3])
      await report({ ...subject, email: `g${n}@example.net` }, { address: `203.0.${n}.7` });
    await resolve(tomas, (await listReportIds(tomas))[0]!, "removed", "No shops.");
    expect((await getTransparencyReport(db, clock.at))[0]).toMatchObject({
      reports: 3,
      automatic: 0,
      upheld: 3,
    });
    const decisions = [];
    for await (const decision of iterateDecisions(db, ada)) decisions.push(decision);
    expect(decisions).toMatchObject([{ source: "notice", isAutomatic: false, category: "spam" }]);
  });
});

describe("link of a guest's report", () => {
  test.each(["", "x", "a".repeat(43)])("that is wrong shows and confirms nothing: %s", async (wrong) => {
    await setup();
    await expect(status(wrong)).rejects.toMatchObject({ reason: "not-found" });
    await expect(confirm(wrong)).rejects.toMatchObject({
      reason: "gone",
      message: "This link does not work. It may be incomplete, or older than two days.",
    });
  });

  test("expires after two days, when the report is deleted", async () => {
    const { subject } = await setup();
    await submit(subject);
    const secret = await token();
    clock.pass(2 * DAY - 1);
    expect(await status(secret)).toMatchObject({ state: "unconfirmed" });
    clock.pass(1);
    await expect(confirm(secret)).rejects.toMatchObject({ reason: "gone" });
    await expect(status(secret)).rejects.toMatchObject({ reason: "not-found" });
    clock.pass(1);
    expect(await within(purgeUnconfirmedGuestReports)).toBe(1);
    expect(await countStored()).toEqual({ guests: 0, reports: 0, cases: 0 });
  });

  test("is stored as a digest, and a newer one about the same content replaces it", async () => {
    const { subject } = await setup();
    await submit(subject);
    const first = await token();
    expect(JSON.stringify(await many(db, sql`select * from guest_reports`))).not.toContain(first);
    clock.pass(1000);
    await submit({ ...subject, email: "GUS@example.net" });
    await expect(confirm(first)).rejects.toMatchObject({ reason: "gone" });
    expect((await countStored()).guests).toBe(1);
  });

  test("says that the content was deleted, and nothing is reported", async () => {
    const { noor, post, subject } = await setup();
    await submit(subject);
    await within((tx) => deletePost(tx, noor, { postId: post.id }));
    await expect(confirm(await token())).rejects.toMatchObject({
      reason: "gone",
      message: "The content is no longer visible to guests. The report was not sent to the moderators.",
    });
    expect(await countStored()).toEqual({ guests: 1, reports: 0, cases: 0 });
  });

  test("is refused for a second report while the first is pending", async () => {
    const { tomas, subject } = await setup();
    const { id } = await report(subject);
    clock.pass(1000);
    await submit(subject);
    await expect(confirm(await token())).rejects.toMatchObject({
      reason: "conflict",
      message: "You have already reported this. A moderator will review it.",
    });
    await resolve(tomas, id, "rejected");
    await confirm(await token());
    expect((await countStored()).reports).toBe(2);
  });
});

describe("name and address of a guest", () => {
  test("are shown to staff only, the address masked until it is revealed, which is logged", async () => {
    const { ada, ines, tomas, mira, subject } = await setup();
    const { id } = await report(subject);
    expect((await view(tomas, id)).guest).toEqual({ name: null, address: null });
    expect((await listCases(db, tomas, { tab: "open" })).rows[0]!.guest).toEqual({
      name: null,
      address: null,
    });
    for (const who of [ada, ines]) {
      expect((await view(who, id)).guest).toEqual({ name: "Gus", address: "g…@e…" });
      const shown = await within((tx) => revealGuestAddress(tx, who, { caseId: id, reportId: id }));
      expect(shown).toEqual({ reportId: id, address: "gus@example.net" });
    }
    for (const who of [tomas, mira])
      await expect(
        within((tx) => revealGuestAddress(tx, who, { caseId: id, reportId: id })),
      ).rejects.toMatchObject({ reason: "not-found" });
    const logged = await many(
      db,
      sql<{ actor: string }>`select actor_id as actor from audit_events where act = 'report.address-read'`,
    );
    expect(logged.map(({ actor }) => actor).sort()).toEqual([ada.id, ines.id].sort());
  });

  test("are not shown to staff who wrote what the report is about", async () => {
    const { ines } = await setup();
    const other = await within((tx) => createPerson(tx, "olga", "moderator"));
    const { id } = await report({ kind: "person", subjectId: other.id });
    await expect(
      within((tx) => revealGuestAddress(tx, other, { caseId: id, reportId: id })),
    ).rejects.toMatchObject({ reason: "not-found" });
    expect((await view(ines, id)).guest).toMatchObject({ name: "Gus" });
  });

  test("are deleted with the report, two years after the decision", async () => {
    const { tomas, subject } = await setup();
    const { id } = await report(subject);
    await resolve(tomas, id, "rejected");
    clock.pass((SERVER_LIMITS.reports.keptDays - 1) * DAY);
    await within(purgeReports);
    expect((await countStored()).guests).toBe(1);
    clock.pass(2 * DAY);
    await within(purgeReports);
    expect(await countStored()).toEqual({ guests: 0, reports: 0, cases: 0 });
  });
});

test("private community accepts no confirmation, since guests see nothing there", async () => {
  const { ada, subject } = await setup();
  await submit(subject);
  await within((tx) => guests.app.settings.set(tx, ada, { audience: "private" }));
  await expect(confirm(await token())).rejects.toMatchObject({ reason: "gone" });
  expect((await countStored()).reports).toBe(0);
});
