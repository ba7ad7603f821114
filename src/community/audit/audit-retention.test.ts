import { expect, test } from "vitest";
import { DAY } from "#platform/clock";
import { many, sql } from "#platform/database";
import { createTestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { writeAudit, purgeAuditEvents } from "./index.ts";

const database = await testDatabase();
const { db, clock, inTransaction: within } = database;

test("audit entries are stored for exactly two years", async () => {
  const { ada } = await createTestUsers(database);
  const write = (act: string) => within((tx) => writeAudit(tx, ada, { act, kind: "person", id: ada.id }));
  await write("person.first");
  clock.pass(DAY);
  await write("person.second");
  clock.pass(729 * DAY);
  expect(await within(purgeAuditEvents)).toBe(0);
  clock.pass(1);
  expect(await within(purgeAuditEvents)).toBe(1);
  expect(await many(db, sql`select act from audit_events`)).toEqual([{ act: "person.second" }]);
});
