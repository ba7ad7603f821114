import { expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, one, run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  clientInfo,
  PASSWORD,
  createAccountsContext,
} from "../../../../test/support/accounts/accounts-context.ts";
import { eraseDeactivated } from "./account-housekeeping.ts";
import { signIn, deactivateAccount } from "../index.ts";

const database = await testDatabase();
const app = createAccountsContext(database);
const { db } = database;

/** A group with Ana and Ben, and one that Ana has left. */
async function groups() {
  const [ana, ben] = [await app.member({ username: "ana" }), await app.member({ username: "ben" })];
  const at = database.clock.at;
  const rows = await many(
    db,
    sql<{ id: string }>`
      insert into groups (id, slug, name, visibility, join_policy, members_count, created_at, last_active_at)
      values (gen_random_uuid(), 'beds', 'Beds', 'public', 'open', 2, ${at}, ${at}),
        (gen_random_uuid(), 'herbs', 'Herbs', 'public', 'open', 1, ${at}, ${at})
      returning id`,
  );
  const [beds, herbs] = rows.map(({ id }) => id);
  await run(
    db,
    sql`insert into memberships (group_id, person_id, state, joined_at, changed_at)
        values (${beds}, ${ana.id}, 'member', ${at}, ${at}), (${beds}, ${ben.id}, 'member', ${at}, ${at}),
          (${herbs}, ${ana.id}, 'left', ${at}, ${at}), (${herbs}, ${ben.id}, 'member', ${at}, ${at})`,
  );
  return { ana, ben };
}
const counts = async () => {
  const { beds, herbs } = await one(
    db,
    sql<{ beds: number; herbs: number }>`
      select (select members_count from groups where slug = 'beds') as beds, (select members_count from groups
        where slug = 'herbs') as herbs`,
  );
  return [beds, herbs];
};
const attemptSignIn = () => signIn(app, { login: "ana", password: PASSWORD }, clientInfo(), "web");

test("group member counts exclude a deactivated account and include it again after reactivation", async () => {
  const { ana } = await groups();
  expect(await counts()).toEqual([2, 1]);
  await deactivateAccount(app, ana, PASSWORD);
  expect(await counts()).toEqual([1, 1]);
  database.clock.pass(29 * DAY);
  await attemptSignIn();
  expect(await counts()).toEqual([2, 1]);
  // A second sign-in does not count twice.
  await attemptSignIn();
  expect(await counts()).toEqual([2, 1]);
});

test("erasing an account does not change the member count again", async () => {
  const { ana } = await groups();
  await deactivateAccount(app, ana, PASSWORD);
  database.clock.pass(31 * DAY);
  expect(await database.inTransaction(eraseDeactivated)).toBe(1);
  expect(await counts()).toEqual([1, 1]);
});

test("a refused deactivation leaves the member count unchanged", async () => {
  const { ana } = await groups();
  await expect(deactivateAccount(app, ana, "wrong")).rejects.toMatchObject({ reason: "invalid" });
  expect(await counts()).toEqual([2, 1]);
});
