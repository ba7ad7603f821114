import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createRole } from "#community/accounts";
import { OPERATOR } from "#community/rules";
import { testDatabase } from "../../../../test/support/setup/test-database.ts";
import {
  startTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let app: typeof Backendless;
let server: typeof Backendless;
beforeAll(async () => void (testApi = await startTestApi(database)));
beforeEach(async () => {
  testApi.forget();
  await testApi.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0 });
  [app, server] = [testApi.sdk(), testApi.sdk(SERVER)];
});
afterAll(() => testApi.close());

type User = Record<string, unknown>;
const login = (sdk: typeof Backendless, who: string) => sdk.UserService.login<User>(who, PASSWORD);
const refused = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ answered: answer }),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  );

describe("people with a role", () => {
  const names = (users: User[]) => users.map((user) => user["username"]);
  const query = (shape: (it: Backendless.DataQueryBuilder) => void) => {
    const it = app.DataQueryBuilder.create();
    shape(it);
    return it;
  };

  async function editors() {
    await database.inTransaction((tx) => createRole(tx, OPERATOR, "Editor"));
    for (const name of ["mira", "tomas", "noor"])
      await server.UserService.assignRole(await testApi.member(name), "Editor");
    await testApi.member("ines");
  }

  test("can be filtered, sorted and shaped, but remain limited to the role", async () => {
    await editors();
    await login(app, "mira");
    const find = (shape: (it: Backendless.DataQueryBuilder) => void) =>
      app.UserService.findByRole<User>("Editor", false, query(shape));
    expect(
      names(await find((it) => it.setWhereClause("username like '%o%'").setSortBy("username desc"))),
    ).toEqual(["tomas", "noor"]);
    expect(
      names(
        await find((it) =>
          it.setWhereClause("1=1 or username = 'ines'").setSortBy("username").setPageSize(2).setOffset(1),
        ),
      ),
    ).toEqual(["noor", "tomas"]);
    expect(
      await find((builder) =>
        builder
          .setProperties("Count(objectId) as people, role")
          .setGroupBy("role")
          .setHavingClause("Count(objectId) > 2"),
      ),
    ).toEqual([{ ___class: "Users", people: 3, role: "member" }]);
    expect(
      await find((builder) =>
        builder
          .setProperties("Count(objectId) as people")
          .setGroupBy("role")
          .setHavingClause("Count(objectId) > 3"),
      ),
    ).toEqual([]);
    expect(
      await find((it) =>
        it.setWhereClause("username = 'mira'").setRelated("memberships").excludeProperties("name"),
      ),
    ).toMatchObject([{ username: "mira", email: "mira@example.org", memberships: [] }]);
    // A condition never matches a hidden field.
    expect(names(await find((it) => it.setWhereClause("email like '%@%'")))).toEqual(["mira"]);
    expect(await refused(find((it) => it.setWhereClause("wings = 2")))).toMatchObject({ code: 1006 });
    expect(await refused(find((it) => it.setWhereClause("username =")))).toMatchObject({ code: 1017 });
    expect(
      names(
        await server.UserService.findByRole<User>(
          "Editor",
          false,
          query((it) => it.setWhereClause("email like 't%'")),
        ),
      ),
    ).toEqual(["tomas"]);
  });
});

describe("custom user properties", () => {
  const where = (sdk: typeof Backendless, clause: string) =>
    sdk.Data.of("Users").find<User>({ where: clause, sortBy: ["username"] });

  test("become columns of Users that only the owner and admins can filter by", async () => {
    const [mira] = [await testApi.member("mira"), await testApi.member("noor")];
    await login(app, "mira");
    const at = Date.parse("2026-05-01T00:00:00Z");
    const values = {
      plot: 7,
      height: 1.5,
      likesBeans: true,
      sown: new Date(at).toISOString(),
      notes: { soil: "clay" },
      motto: "Wacholder",
      bio: "not the one of the page",
    };
    await app.UserService.update({ objectId: mira, ...values } as never);
    const clauses = [
      "plot = 7",
      "height > 1",
      "likesBeans = true",
      `sown = ${at}`,
      "sown after '04/30/2026'",
      "notes->'$.soil' = 'clay'",
      "motto like 'Wach%'",
    ];
    await login(app, "mira");
    for (const clause of clauses)
      expect([clause, await where(app, clause)]).toMatchObject([
        clause,
        [{ username: "mira", plot: 7, sown: at, motto: "Wacholder" }],
      ]);
    expect(await app.Data.of("Users").findById(mira)).toMatchObject({ ...values, sown: at, bio: "" });
    await login(app, "noor");
    for (const clause of clauses) expect([clause, await where(app, clause)]).toEqual([clause, []]);
    expect(await app.Data.of("Users").findById(mira)).toMatchObject({ plot: null, motto: null, notes: null });
    expect(
      JSON.stringify(await app.Data.of("Users").find({ sortBy: ["motto"], relations: ["*"] })),
    ).not.toContain("Wacholder");
    expect(
      await app.Data.of("Users").find({ properties: ["Max(motto) as it", "Count(plot) as plots"] }),
    ).toEqual([{ ___class: "Users", it: null, plots: 0 }]);
    const described = (await app.Data.describe("Users")) as unknown as { name: string; type: string }[];
    expect(Object.fromEntries(described.map(({ name, type }) => [name, type]))).toMatchObject({
      plot: "INT",
      motto: "STRING",
      notes: "JSON",
      sown: "DATETIME",
      bio: "TEXT",
    });
    // A call with only the server key reads like an admin.
    expect(await where(server, "plot = 7")).toMatchObject([{ username: "mira" }]);
  });

  test("with a value of the wrong type do not make a query fail", async () => {
    const mira = await testApi.member("mira");
    await login(app, "mira");
    await app.UserService.update({ objectId: mira, plot: 1, sown: "2026-05-01T00:00:00.000Z" } as never);
    await database.pool.query(
      `update people set properties = '{"plot": 1e300, "sown": 1e300}' where id = $1`,
      [mira],
    );
    expect(await where(app, "plot > 5")).toMatchObject([{ username: "mira", plot: 1e300, sown: null }]);
    await database.pool.query(`update people set properties = '{"plot": "x", "sown": {}}' where id = $1`, [
      mira,
    ]);
    expect(await where(app, "sown after 1 or plot > 5")).toEqual([]);
  });
});
