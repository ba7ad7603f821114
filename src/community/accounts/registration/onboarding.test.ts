import { describe, expect, test } from "vitest";
import { one, run, sql } from "#platform/database";
import { GUEST } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { createAccountsContext, testViewer } from "../../../../test/support/accounts/accounts-context.ts";
import { recordRegistrationStatement } from "./onboarding.ts";
import {
  acceptRules,
  getOnboardingProgress,
  finishWelcome,
  needsWelcome,
  saveWelcomeStep,
  setMailLevel,
} from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const member = async (username: string) =>
  testViewer((await app.member({ username, passwordHash: null })).id);
const loadJoinReason = (id: string) =>
  one(
    database.db,
    sql<{
      reason: string;
      version: number | null;
    }>`select join_reason as reason, rules_accepted_version as version from people where id = ${id}`,
  );

describe("onboarding", () => {
  test("appears to new people until they finish it", async () => {
    const nora = await member("nora-w");
    expect(needsWelcome(await getOnboardingProgress(database.db, nora))).toBe(true);
    await database.inTransaction((tx) => finishWelcome(tx, nora));
    expect(needsWelcome(await getOnboardingProgress(database.db, nora))).toBe(false);
  });

  test("skips guests and people who are already in a group", async () => {
    expect(needsWelcome(await getOnboardingProgress(database.db, GUEST))).toBe(false);
    const otto = await member("otto-w");
    const at = database.clock.at;
    const group = "01900000-0000-7000-8000-0000000000aa";
    await run(
      database.db,
      sql`insert into groups (id, slug, name, visibility, join_policy, state, created_by, created_at,
        last_active_at)
          values (${group}, 'welcome-test', 'Welcome test', 'public', 'open', 'active', ${otto.id}, ${at},
            ${at})`,
    );
    await run(
      database.db,
      sql`insert into memberships (group_id, person_id, state, joined_at, changed_at)
        values (${group}, ${otto.id}, 'member', ${at}, ${at})`,
    );
    expect(needsWelcome(await getOnboardingProgress(database.db, otto))).toBe(false);
    // A person who has already found a group does not become new again by opening the tour.
    await database.inTransaction((tx) => saveWelcomeStep(tx, otto, 3));
    expect(needsWelcome(await getOnboardingProgress(database.db, otto))).toBe(false);
    // A person who joined a group during the tour continues the tour.
    const lotte = await member("lotte-w");
    await database.inTransaction((tx) => saveWelcomeStep(tx, lotte, 3));
    await run(
      database.db,
      sql`insert into memberships (group_id, person_id, state, joined_at, changed_at)
        values (${group}, ${lotte.id}, 'member', ${at}, ${at})`,
    );
    await database.inTransaction((tx) => saveWelcomeStep(tx, lotte, 4));
    expect(await getOnboardingProgress(database.db, lotte)).toMatchObject({ step: 4 });
    expect(needsWelcome(await getOnboardingProgress(database.db, lotte))).toBe(true);
    await database.inTransaction((tx) => finishWelcome(tx, lotte));
    expect(needsWelcome(await getOnboardingProgress(database.db, lotte))).toBe(false);
  });

  test("continues at the last step reached until it is finished", async () => {
    const ruth = await member("ruth-w");
    const step = async () => (await getOnboardingProgress(database.db, ruth))!.step;
    const reach = (to: number) => database.inTransaction((tx) => saveWelcomeStep(tx, ruth, to));
    expect(await step()).toBeNull();
    for (const to of [1, 3, 2]) await reach(to);
    expect(await step()).toBe(3);
    await database.inTransaction((tx) => finishWelcome(tx, ruth));
    await reach(4);
    expect(await step()).toBe(3);
  });

  test("stores the acceptance of the rules and the mail level", async () => {
    const pia = await member("pia-w");
    expect(await getOnboardingProgress(database.db, pia)).toMatchObject({
      rulesAcceptedVersion: null,
      mailLevel: "important",
    });
    await database.inTransaction(async (tx) => {
      await acceptRules(tx, pia, 3);
      await setMailLevel(tx, pia, "nothing");
    });
    expect(await getOnboardingProgress(database.db, pia)).toMatchObject({
      rulesAcceptedVersion: 3,
      mailLevel: "nothing",
    });
  });
});

describe("join reason", () => {
  test("gets stored together with the accepted rules version", async () => {
    const { id } = await app.member({ username: "rosa-w", state: "unverified", passwordHash: null });
    await database.inTransaction((tx) =>
      recordRegistrationStatement(tx, id, { reason: "I like walnuts.", rulesVersion: 2 }),
    );
    expect(await loadJoinReason(id)).toEqual({ reason: "I like walnuts.", version: 2 });
  });

  test("cannot be overwritten afterwards", async () => {
    const { id } = await app.member({ username: "sam-w", state: "unverified", passwordHash: null });
    const note = (reason: string) =>
      database.inTransaction((tx) => recordRegistrationStatement(tx, id, { reason, rulesVersion: 1 }));
    await note("First.");
    await note("Second.");
    expect((await loadJoinReason(id)).reason).toBe("First.");
  });
});
