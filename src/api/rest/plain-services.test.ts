import { describe, expect, test } from "vitest";
import { createTestGroup, createTestUsers } from "../../../test/support/test-users.ts";
import { many, sql } from "#platform/database";
import {
  database,
  testApi,
  CLIENT_PATH,
  signInTestPerson,
} from "../../../test/support/rest/extension-api.ts";

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await testApi.call(method, `${CLIENT_PATH}/services/${path}`, body, headers);
  return { status: answer.status, body: answer.body as unknown };
};

describe("service calls by GET, PUT and DELETE", () => {
  test("run the method in the URL", async () => {
    expect(await call("PUT", "Greetings/echo", { words: ["a", 1] })).toEqual({
      status: 200,
      body: { words: ["a", 1] },
    });
    expect(await call("DELETE", "Greetings/echo", { words: "b" })).toEqual({
      status: 200,
      body: { words: "b" },
    });
    expect(await call("DELETE", "Greetings/echo?words=b")).toEqual({ status: 200, body: { words: "b" } });
    expect(await call("GET", "Greetings/echo?words=Lovely%20beans.&words=Peas")).toEqual({
      status: 200,
      body: { words: ["Lovely beans.", "Peas"] },
    });
    expect(await call("GET", "Greetings/hello?name=Ines")).toMatchObject({
      body: { said: "Hello Ines!", by: null },
    });
    expect(await call("GET", "Greetings/hello")).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^name: /) as string },
    });
    expect(await call("GET", "Greetings/sing")).toMatchObject({ status: 404 });
  });

  test("convert numbers and booleans in the URL", async () => {
    expect(await call("GET", "Greetings/refuse?code=4711")).toMatchObject({
      status: 400,
      body: { code: 4711 },
    });
    expect(await call("GET", "Greetings/refuse?code=many")).toMatchObject({ status: 422 });
    expect(await call("GET", "Greetings/note?text=12&asServer=true")).toMatchObject({ status: 200 });
    expect(
      await many(
        database.db,
        sql`select payload ->> 'table' as "table" from outbox where type = 'record.created'`,
      ),
    ).toEqual([{ table: "Note" }]);
  });

  test("run community methods as the caller", async () => {
    const group = await createTestGroup(database, await createTestUsers(database));
    const bram = await signInTestPerson("bram");
    expect(await call("PUT", "Groups/join", { groupId: group.id })).toMatchObject({ status: 401 });
    const token = { "user-token": bram.token };
    expect(await call("PUT", "Groups/join", { groupId: group.id }, token)).toEqual({
      status: 200,
      body: null,
    });
    expect(await call("DELETE", `Groups/leave?groupId=${group.id}`, undefined, token)).toEqual({
      status: 200,
      body: null,
    });
  });

  test("accept a version number in the URL", async () => {
    for (const version of ["1.0.0", "v2", "3"]) {
      expect(await call("POST", `Greetings/${version}/hello`, { name: "Ines" })).toMatchObject({
        body: { said: "Hello Ines!" },
      });
      expect(await call("GET", `Greetings/${version}/hello?name=Ines`)).toMatchObject({
        body: { said: "Hello Ines!" },
      });
    }
    expect(await call("POST", "Greetings/latest/hello", { name: "Ines" })).toMatchObject({ status: 404 });
    const headers = { "bl-execution-type": "async" };
    expect(await call("GET", "Greetings/1.0.0/hello?name=Ines", undefined, headers)).toEqual({
      status: 200,
      body: null,
    });
  });
});
