import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccessToken, hashPassword, NewAccessToken, revokeAccessToken } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import { run, sql } from "#platform/database";
import { type IntegrationsApi, startIntegrationsApi } from "../../../test/support/rest/integrations-api.ts";
import { PASSWORD } from "../../../test/support/rest/rest-server.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";

const database = await testDatabase();
let testApi: IntegrationsApi;
let people: TestUsers;
beforeAll(async () => {
  testApi = await startIntegrationsApi(database);
});
afterAll(() => testApi.close());
beforeEach(async () => {
  testApi.forget();
  people = await createTestUsers(database);
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0, mcpServer: true, writingLimits: false });
});

async function createToken(viewer: SignedIn, scopes: readonly string[]) {
  const hash = await hashPassword(PASSWORD);
  await run(database.db, sql`update people set password_hash = ${hash} where id = ${viewer.id}`);
  const input = NewAccessToken.parse({ name: "Assistant", scopes, groupIds: [], lifetime: "90" });
  return createAccessToken(testApi.app, viewer, input, { proof: PASSWORD, sessionId: null });
}

/** Sends a plain HTTP request, without the SDK's client. */
const send = (headers: Record<string, string>, body: unknown = { jsonrpc: "2.0", id: 1, method: "ping" }) =>
  fetch(`${testApi.origin()}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("MCP request", () => {
  test("returns 401 without a valid personal access token", async () => {
    const { token, id } = await createToken(people.mira, ["groups:read"]);
    expect((await send({ authorization: `Bearer ${token}` })).status).toBe(200);
    await revokeAccessToken(testApi.app, people.mira, id);
    for (const authorization of ["", "Bearer ", "Bearer abc", `Basic ${token}`, `Bearer ${token}`]) {
      const answer = await send({ authorization });
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="mcp"']);
      expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32000 } });
    }
  });

  test("returns 403 for another origin, even if its host name resolves to this server", async () => {
    const { token } = await createToken(people.mira, ["groups:read"]);
    const statusFrom = async (origin: string) =>
      (await send({ authorization: `Bearer ${token}`, origin })).status;
    expect(await statusFrom(testApi.origin())).toBe(200);
    for (const origin of [
      "https://evil.example",
      "null",
      testApi.origin().replace("127.0.0.1", "rebound.example"),
    ])
      expect([origin, await statusFrom(origin)]).toEqual([origin, 403]);
  });

  test("counts towards its token's rate limit, and the response states the remaining requests", async () => {
    await testApi.set({ apiCalls: 3 });
    const { token } = await createToken(people.mira, ["groups:read"]);
    const other = await createToken(people.mira, ["groups:read"]);
    const sendMany = async (authorization: string, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => send({ authorization })));
      return answers.map(({ status }) => status).toSorted();
    };
    expect(await sendMany(`Bearer ${token}`, 6)).toEqual([200, 200, 200, 429, 429, 429]);
    const refused = await send({ authorization: `Bearer ${token}` });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(290);
    expect(await refused.json()).toMatchObject({ error: { message: expect.any(String) } });
    const answer = await send({ authorization: `Bearer ${other.token}` });
    expect(["limit", "remaining"].map((it) => answer.headers.get(`ratelimit-${it}`))).toEqual(["3", "2"]);
  });

  test("returns 404 while the MCP server is disabled", async () => {
    const { token } = await createToken(people.mira, ["groups:read"]);
    await testApi.set({ mcpServer: false });
    expect((await send({ authorization: `Bearer ${token}` })).status).toBe(404);
  });

  test("returns an error for a batch, invalid JSON, a long body, another content type and GET", async () => {
    const { token } = await createToken(people.mira, ["groups:read"]);
    const authorization = `Bearer ${token}`;
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    expect((await send({ authorization }, [ping, ping])).status).toBe(422);
    expect((await send({ authorization }, "{")).status).toBe(400);
    expect(
      (await send({ authorization }, { ...ping, params: { padding: "x".repeat(300_000) } })).status,
    ).toBe(413);
    expect((await send({ authorization, "content-type": "text/plain" }, "ping")).status).toBe(415);
    const opened = await fetch(`${testApi.origin()}/mcp`, { headers: { authorization } });
    expect([opened.status, opened.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
