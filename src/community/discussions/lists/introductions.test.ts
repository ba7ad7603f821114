import { expect, test } from "vitest";
import { run, sql } from "#platform/database";
import { parseIntroductionsAddress } from "#community/settings";
import {
  createTestDiscussion,
  createTestGroup,
  createTestUsers,
} from "../../../../test/support/test-users.ts";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { getIntroductionsDiscussion } from "../index.ts";

const database = await testDatabase();
const { db } = database;

test("newcomers are shown the introductions discussion if it is open and they can read it", async () => {
  const people = await createTestUsers(database);
  const group = await createTestGroup(database, people, { visibility: "private" });
  const { id } = await createTestDiscussion(database, people.mira, group.id);
  const found = (viewer = people.mira) =>
    getIntroductionsDiscussion(db, viewer, `https://kith.test/discussions/${id}?post=3`);
  expect(await found()).toEqual({ id });
  expect(await found(people.noor)).toBeNull();
  await run(db, sql`update groups set visibility = 'public'`);
  expect(await found(people.noor)).toEqual({ id });
  await run(
    db,
    sql`update discussions set locked_at = now(), locked_by = ${people.tomas.id}, locked_reason = 'Done.'`,
  );
  expect(await found()).toBeNull();
  await run(
    db,
    sql`update discussions set locked_at = null, locked_by = null, locked_reason = null, state = 'archived'`,
  );
  expect(await found()).toBeNull();
});

test.each([
  "",
  "/discussions",
  "/groups/01900000-0000-7000-8000-000000000001",
  "/discussions/01900000",
  "javascript:alert(1)",
])("setting %j means that there is no introductions discussion", async (address) => {
  expect(parseIntroductionsAddress(address)).toBeNull();
  expect(await getIntroductionsDiscussion(db, (await createTestUsers(database)).mira, address)).toBeNull();
});
