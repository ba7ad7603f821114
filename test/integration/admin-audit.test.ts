import { expect, test } from "vitest";
import { many, sql } from "#platform/database";
import { createTestUsers } from "../support/test-users.ts";
import { serveBuiltPages } from "../support/built-pages.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const database = await testDatabase();
const { server, as } = await serveBuiltPages(database);

test("audit log records an admin's successful changes to API settings and no refused changes", async () => {
  const { ada } = await createTestUsers(database);
  const make = () =>
    server.inject({
      method: "POST",
      url: "/admin/data",
      headers: {
        ...as(ada),
        host: "kith.test",
        "content-type": "application/x-www-form-urlencoded",
        origin: "http://kith.test",
      },
      payload: "intent=make&name=Beds",
    });
  expect((await make()).statusCode).toBe(302);
  expect((await make()).statusCode).toBe(409);
  expect(await many(database.db, sql`select act, object_id as id from audit_events`)).toEqual([
    { act: "table.make", id: "Beds" },
  ]);
});
