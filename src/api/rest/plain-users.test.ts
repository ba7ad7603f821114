import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setTableAccess } from "#baas/data";
import { many, sql } from "#platform/database";
import { createTestGroup, createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../../../test/support/rest/rest-server.ts";

const database = await testDatabase();
let testApi: TestRestApi;
let people: TestUsers;
beforeAll(async () => {
  testApi = await startTestApi(database);
});
afterAll(() => testApi.close());
beforeEach(async () => {
  testApi.forget();
  people = await createTestUsers(database);
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0 });
});

type Options = { key?: string; token?: string; body?: unknown };
const call = async (method: string, path: string, { key = CLIENT, token = "", body }: Options = {}) =>
  testApi.call(method, `/${APP}/${key}${path}`, body, token ? { "user-token": token } : {}) as Promise<{
    status: number;
    body: unknown;
  }>;

/** Signs in a new person with a plain call. */
async function signedIn(username: string) {
  const id = await testApi.member(username);
  const { body } = await call("POST", "/users/login", {
    body: { login: `${username}@example.org`, password: PASSWORD },
  });
  return { id, token: (body as Record<string, string>)["user-token"]! };
}

describe("GET of a user", () => {
  test("returns the requested properties", async () => {
    const bram = await signedIn("bram");
    const user = (query: string, token = bram.token) => call("GET", `/users/${bram.id}${query}`, { token });
    expect((await user("?props=name,email")).body).toEqual({
      ___class: "Users",
      objectId: bram.id,
      name: "bram",
      email: "bram@example.org",
    });
    expect((await user("")).body).toMatchObject({ ___class: "Users", objectId: bram.id, username: "bram" });
    expect((await user("")).body).toEqual(
      (await call("GET", `/data/Users/${bram.id}`, { token: bram.token })).body,
    );
    expect((await user("?props=wings")).body).toMatchObject({ code: 1006 });
  });

  test("returns to other people what the directory shows them", async () => {
    const [bram, cleo] = [await signedIn("bram"), await signedIn("cleo")];
    expect(
      (await call("GET", `/users/${bram.id}?props=name,email`, { token: cleo.token })).body,
    ).toMatchObject({
      name: "bram",
      email: null,
    });
    for (const id of ["nobody", people.mira.id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))])
      expect((await call("GET", `/users/${id}`, { token: cleo.token })).body).toMatchObject({ code: 1000 });
    await testApi.set({ audience: "private" });
    expect(await call("GET", `/users/${bram.id}`)).toMatchObject({ status: 401 });
  });

  test("does not affect neighbouring routes", async () => {
    expect((await call("GET", "/users/userroles")).body).toContain("NotAuthenticatedUser");
    expect((await call("GET", "/users/userclassprops")).body).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: "email" })]),
    );
  });
});

describe("community entities over REST without an SDK", () => {
  test("can be found, counted and changed like records of other tables", async () => {
    const bram = await signedIn("bram");
    const { token } = bram;
    const where = `?where=${encodeURIComponent("username = 'bram'")}`;
    expect((await call("GET", `/data/Users${where}&props=username`, { token })).body).toEqual([
      { ___class: "Users", objectId: bram.id, username: "bram" },
    ]);
    expect((await call("GET", `/data/Users/count${where}`, { token })).body).toBe(1);
    expect((await call("GET", `/data/Users/last${where}`, { token })).body).toMatchObject({
      username: "bram",
    });
    const changed = await call("PUT", `/data/Users/${bram.id}`, { token, body: { name: "Bram B." } });
    const saved = await call("PUT", "/data/Users", { token, body: { objectId: bram.id, name: "Bram B." } });
    expect(changed).toMatchObject({ status: saved.status });
    expect(
      await call("PUT", `/data/Users/${people.mira.id}`, { token, body: { name: "Not me" } }),
    ).toMatchObject({ status: 404 });
    expect(await call("DELETE", "/data/bulk/Users?where=1%3D1", { token })).not.toMatchObject({
      status: 200,
    });
    expect(
      (await many(database.db, sql`select from people where username = 'mira' and display_name = 'Mira'`))
        .length,
    ).toBe(1);
  });

  test("can be created by POST and by PUT", async () => {
    const group = await createTestGroup(database, people);
    const { token } = await signedIn("bram");
    const joined = await call("POST", "/data/Memberships", { token, body: { groupId: group.id } });
    expect(joined).toMatchObject({
      status: 200,
      body: { ___class: "Memberships", groupId: group.id, role: "member" },
    });
    expect(await call("POST", "/data/Memberships", { body: { groupId: group.id } })).toMatchObject({
      status: 401,
    });
  });
});

describe("PUT of several permissions of an object", () => {
  const set = (type: string, id: string, body: unknown, options: { key?: string; token?: string } = {}) =>
    call("PUT", `/data/Bed/permissions/${type}/${id}/bulk`, { ...options, body });
  const grants = async () =>
    (
      await many(
        database.db,
        sql<{
          it: string;
        }>`select concat_ws(' ', act, kind, subject, allowed) as it from data_grants
          order by act, kind, subject`,
      )
    ).map(({ it }) => it);

  test("sets all permissions or none", async () => {
    const bed = (await call("POST", "/data/Bed", { key: SERVER, body: { name: "north" } })).body as {
      objectId: string;
    };
    const all = [
      { permission: "FIND", role: "*" },
      { permission: "UPDATE", user: "someone" },
    ];
    expect(await set("DENY", bed.objectId, all, { key: SERVER })).toMatchObject({
      status: 200,
      body: undefined,
    });
    expect(await grants()).toEqual(["FIND role * f", "UPDATE user someone f"]);
    expect(
      await set("GRANT", bed.objectId, [...all, { permission: "FLY", role: "*" }], { key: SERVER }),
    ).toMatchObject({ status: 400 });
    for (const body of [[], {}, undefined, Array.from({ length: 101 }, () => all[0])])
      expect(await set("GRANT", bed.objectId, body, { key: SERVER })).toMatchObject({ status: 400 });
    expect(await grants()).toEqual(["FIND role * f", "UPDATE user someone f"]);
    expect(await set("GRANT", bed.objectId, all, { key: SERVER })).toMatchObject({ status: 200 });
    expect(await grants()).toEqual(["FIND role * t", "UPDATE user someone t"]);
  });

  test("requires the owner and takes effect at once", async () => {
    const [bram, cleo] = [await signedIn("bram"), await signedIn("cleo")];
    const bed = (await call("POST", "/data/Bed", { key: SERVER, body: { name: "x" } })).body as {
      objectId: string;
    };
    await setTableAccess(testApi.app.tables, "Bed", { AuthenticatedUser: { find: true, create: true } });
    const own = (await call("POST", "/data/Bed", { token: bram.token, body: { name: "own" } })).body as {
      objectId: string;
    };
    const deny = [{ permission: "FIND", user: cleo.id }];
    for (const [id, token] of [
      [own.objectId, cleo.token],
      [bed.objectId, bram.token],
    ] as const)
      expect(await set("DENY", id, deny, { token })).toMatchObject({ status: 403 });
    expect((await call("GET", "/data/Bed/count", { token: cleo.token })).body).toBe(2);
    expect(await set("DENY", own.objectId, deny, { token: bram.token })).toMatchObject({ status: 200 });
    expect((await call("GET", "/data/Bed/count", { token: cleo.token })).body).toBe(1);
    expect((await call("GET", "/data/Bed", { token: cleo.token })).body).toMatchObject([{ name: "x" }]);
    expect((await call("GET", "/data/Bed/last", { token: cleo.token })).body).toMatchObject({ name: "x" });
  });
});
