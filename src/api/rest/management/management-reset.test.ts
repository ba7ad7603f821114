import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { many, run, sql } from "#platform/database";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import { APP, startTestApi, type TestRestApi, SERVER } from "../../../../test/support/rest/rest-server.ts";
import { signIn } from "#community/accounts";

const database = await testDatabase();
let testApi: TestRestApi;
let production: TestRestApi;
beforeAll(async () => {
  testApi = await startTestApi(database, { allowReset: true });
  production = await startTestApi(database, { production: true });
});
beforeEach(() => (testApi.forget(), production.forget()));
afterAll(async () => {
  await testApi.close();
  await production.close();
});

const manage = async (method: string, path: string, body?: unknown, at = testApi) =>
  (await at.call(method, `/${APP}/${SERVER}/management${path}`, body)).body;
const audited = () =>
  many(
    database.db,
    sql<{ it: string }>`select act || ' ' || object_id as it from audit_events order by at, id`,
  );

describe("reset by the management API", () => {
  test("requires confirmation, and a site that was started with resets allowed", async () => {
    await testApi.member("mira");
    await manage("POST", "/data/table", { name: "Beds" });
    await manage("PUT", "/limits", { apiCalls: 7 });
    expect(await manage("POST", "/reset", { confirm: APP }, production)).toMatchObject({ code: 403 });
    expect(await manage("POST", "/reset", { confirm: "yes" })).toMatchObject({ code: 422 });
    expect(await many(database.db, sql`select username from people`)).toHaveLength(1);
    expect(await manage("POST", "/reset", { confirm: APP })).toEqual({ emptied: true });
    expect(await many(database.db, sql`select username from people`)).toEqual([]);
    expect(
      ((await manage("GET", "/data/tables")) as unknown as { published: boolean }[]).filter(
        ({ published }) => !published,
      ),
    ).toEqual([]);
    expect(await manage("GET", "/limits")).toMatchObject({ apiCalls: 7 });
    expect((await audited()).map(({ it }) => it)).toContain("backend.emptied place");
  });

  test("also clears the counts of failed sign-ins", async () => {
    const attemptSignIn = (password: string) => {
      const from = { address: "203.0.113.7", userAgent: "curl/8", acceptLanguage: "" };
      return signIn(testApi.app, { login: "mira", password }, from, "api");
    };
    await testApi.member("mira");
    for (let n = 0; n < 2; n++)
      await expect(attemptSignIn("wrong")).rejects.toMatchObject({ reason: "invalid" });
    await expect(attemptSignIn("wrong")).rejects.toMatchObject({ reason: "too-many" });
    await testApi.app.limits.take("tries", { points: 1, seconds: 60 }, "a");
    expect(await manage("POST", "/reset", { confirm: APP })).toEqual({ emptied: true });
    await expect(attemptSignIn("wrong")).rejects.toMatchObject({ reason: "invalid" });
    await testApi.app.limits.take("tries", { points: 1, seconds: 60 }, "a");
  });

  test("completes despite concurrent work that holds locks", async () => {
    type Lock = { name: string; granted: boolean };
    const locks = () =>
      many(
        database.db,
        sql<Lock>`select l.relation::regclass::text as name, l.granted from pg_locks l
          join pg_stat_activity a using (pid)
          where l.mode = 'AccessExclusiveLock' and l.relation is not null and a.query like 'truncate%'
            and a.datname = current_database()`,
      );
    let emptied: Promise<unknown> = Promise.resolve();
    const work = database.inTransaction(async (tx) => {
      await run(tx, sql`lock table push_templates, people in share mode`);
      emptied = manage("POST", "/reset", { confirm: APP });
      await expect.poll(async () => (await locks()).filter(({ granted }) => !granted)).toHaveLength(1);
      const [taken] = (await locks()).filter(({ granted }) => granted);
      await run(tx, sql`lock table ${sql.table(taken!.name)} in share mode`);
    });
    // PostgreSQL ends the reset, which starts again, unless the reset has waited for more than a second by then:
    // in that case it ends this transaction.
    await work.catch((error: unknown) => expect(error).toMatchObject({ code: "40P01" }));
    expect(await emptied).toEqual({ emptied: true });
  });
});
