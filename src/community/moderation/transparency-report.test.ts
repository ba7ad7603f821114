import { expect, test } from "vitest";
import { MINUTE } from "#platform/clock";
import { deletePost, lockDiscussion } from "#community/discussions";
import { setStatus } from "#community/accounts";
import {
  createTestDiscussion,
  createTestGroup,
  createTestReply,
  createTestUsers,
} from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { appealRemoval, reportPost, resolveCase, getTransparencyReport } from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;
const NONE = {
  reports: 0,
  automatic: 0,
  upheld: 0,
  rejected: 0,
  appeals: 0,
  restored: 0,
  kept: 0,
  removed: 0,
  returned: 0,
  warned: 0,
  locked: 0,
  slowed: 0,
  banned: 0,
  archived: 0,
  limited: 0,
  suspended: 0,
};

test("the report lists counts per month, and shows counts of one and two as “few”", async () => {
  clock.at = new Date("2026-04-30T12:00:00Z");
  const { ada, ines, mira, noor, tomas, ...rest } = await createTestUsers(database);
  const group = await createTestGroup(database, { tomas, mira, ...rest });
  const { id } = await createTestDiscussion(database, mira, group.id);
  for (const outcome of ["upheld", "rejected", "upheld"] as const) {
    const post = await createTestReply(database, mira, id);
    const report = await within((tx) => reportPost(tx, noor, { postId: post.id, reason: "It sells." }));
    await within((tx) => resolveCase(tx, ines, { caseId: report.id, outcome, reason: "", note: "" }));
  }
  clock.at = new Date("2026-05-01T00:00:01Z");
  for (let i = 0; i < 3; i++) {
    const post = await createTestReply(database, mira, id);
    await within((tx) => deletePost(tx, tomas, { postId: post.id, reason: "Adverts." }));
    if (i > 0) continue;
    const appeal = await within((tx) => appealRemoval(tx, mira, { postId: post.id, text: "It is my own." }));
    await within((tx) =>
      resolveCase(tx, tomas, { caseId: appeal.id, outcome: "restored", reason: "So it is.", note: "" }),
    );
  }
  await within((tx) =>
    setStatus(tx, ada, { personId: noor.id, state: "suspended", reason: "Adverts.", until: null }),
  );
  const transparencyReport = await getTransparencyReport(db, clock.at);
  expect(transparencyReport).toHaveLength(12);
  expect(transparencyReport.slice(0, 3)).toEqual([
    { ...NONE, month: "2026-05", removed: 3, appeals: "few", restored: "few", suspended: "few" },
    { ...NONE, month: "2026-04", reports: 3, upheld: "few", rejected: "few" },
    { ...NONE, month: "2026-03" },
  ]);
  expect(transparencyReport.at(-1)).toEqual({ ...NONE, month: "2025-06" });
});

test("months count warnings, requests for changes, locks, slow mode and group bans of decisions", async () => {
  const { tomas, mira, noor, ...rest } = await createTestUsers(database);
  const group = await createTestGroup(database, { tomas, mira, ...rest });
  const { id } = await createTestDiscussion(database, mira, group.id);
  const decide = async (outcome: "warned" | "returned" | "locked" | "slowed" | "banned") => {
    const post = await createTestReply(database, mira, id);
    const report = await within((tx) => reportPost(tx, noor, { postId: post.id, reason: "It sells." }));
    clock.pass(6 * MINUTE);
    await within((tx) =>
      resolveCase(tx, tomas, { caseId: report.id, outcome, reason: "No adverts.", note: "" }),
    );
  };
  for (const outcome of ["warned", "warned", "warned", "returned", "slowed", "locked"] as const)
    await decide(outcome);
  clock.pass(MINUTE);
  // A lock without a report is no decision about content.
  await within((tx) => lockDiscussion(tx, tomas, { discussionId: id, reason: "It is late." }));
  const [month] = await getTransparencyReport(db, clock.at);
  expect(month).toMatchObject({
    upheld: 6,
    warned: 3,
    returned: "few",
    slowed: "few",
    locked: "few",
    banned: 0,
    removed: 0,
  });
});
