import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccessToken, hashPassword, NewAccessToken } from "#community/accounts";
import { acceptConversation } from "#community/conversations";
import { type SignedIn, TOKEN_SCOPES } from "#community/rules";
import { many, run, sql } from "#platform/database";
import { createLeakCommunity, type LeakCommunity } from "../../../test/support/leak-matrix/community.ts";
import { INSIDE_WORD } from "../../../test/support/leak-matrix/marker-words.ts";
import { type IntegrationsApi, startIntegrationsApi } from "../../../test/support/rest/integrations-api.ts";
import { PASSWORD } from "../../../test/support/rest/rest-server.ts";
import { testDatabase } from "../../../test/support/setup/test-database.ts";
import { createTestGroup, createTestUsers, type TestUsers } from "../../../test/support/test-users.ts";
import { TOOLS } from "./mcp-server.ts";

const database = await testDatabase();
let testApi: IntegrationsApi;
let people: TestUsers;
let at: LeakCommunity;
beforeAll(async () => {
  testApi = await startIntegrationsApi(database);
});
afterAll(() => testApi.close());
beforeEach(async () => {
  testApi.forget();
  people = await createTestUsers(database);
  at = await createLeakCommunity(database, people, "secret");
  await testApi.set({ apiCalls: 0, apiCallsOfPerson: 0, mcpServer: true, writingLimits: false });
});

async function createToken(viewer: SignedIn, scopes: readonly string[], groupIds: string[] = []) {
  const hash = await hashPassword(PASSWORD);
  await run(database.db, sql`update people set password_hash = ${hash} where id = ${viewer.id}`);
  const input = NewAccessToken.parse({ name: "Assistant", scopes, groupIds, lifetime: "90" });
  return createAccessToken(testApi.app, viewer, input, { proof: PASSWORD, sessionId: null });
}

type Mode = "legacy" | "auto";
const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function connect(token: string, mode: Mode = "auto") {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${token}` };
  const url = new URL("/mcp", testApi.origin());
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  clients.push(client);
  return client;
}
const connectAs = async (viewer: SignedIn, scopes: readonly string[] = TOKEN_SCOPES, mode: Mode = "auto") =>
  connect((await createToken(viewer, scopes)).token, mode);

async function call(client: Client, name: string, input: object = {}) {
  const answer = await client.callTool({ name, arguments: { ...input } });
  const [content] = answer.content as { text: string }[];
  return {
    text: content!.text,
    data: answer.structuredContent as Record<string, unknown> | undefined,
    failed: answer.isError === true,
  };
}

/** Calls a tool and returns the data of its answer. Fails if the tool refuses. */
async function callData(client: Client, name: string, input: object = {}) {
  const { text, data } = await call(client, name, input);
  if (!data) throw new Error(`${name}: ${text}`);
  return data;
}

/** Valid input of each tool for the community of the test. */
const sampleInputs = (): Record<string, object> => ({
  search: { query: INSIDE_WORD },
  read_discussion: { discussion: at.discussionId },
  list_groups: {},
  list_events: { from: "2020-01-01T00:00:00Z" },
  start_discussion: { groupId: at.groupId, title: "Water meter", body: "It shows 1204." },
  reply: { discussionId: at.discussionId, body: "Done." },
  react: { postId: at.postId, emoji: "🍐" },
  save_resource: { groupId: at.groupId, url: "https://example.org/pears", title: "Pears" },
  send_message: { conversationId: at.conversationId, body: "Hello." },
});

describe.each(["legacy", "auto"] as const)("MCP client (%s protocol version)", (mode) => {
  test("reads and writes as the token's owner, and gets URLs of the site", async () => {
    await testApi.index();
    await database.inTransaction((tx) =>
      acceptConversation(tx, people.tomas, { conversationId: at.conversationId }),
    );
    const client = await connectAs(people.mira, TOKEN_SCOPES, mode);
    const found = await callData(client, "search", { query: INSIDE_WORD, type: "posts" });
    expect(found["results"]).toContainEqual(
      expect.objectContaining({ type: "posts", url: expect.stringContaining("/posts/") as unknown }),
    );
    const listed = await callData(client, "list_groups");
    expect(listed["groups"]).toContainEqual(expect.objectContaining({ id: at.groupId, role: "member" }));
    const events = await callData(client, "list_events", { from: "2020-01-01T00:00:00Z" });
    expect(events["events"]).toContainEqual(
      expect.objectContaining({ id: at.eventId, answer: "going", state: "planned" }),
    );

    const started = await callData(client, "start_discussion", sampleInputs()["start_discussion"]);
    const [id, address] = [String(started["id"]), started["url"]];
    expect(address).toBe(`${testApi.origin()}/discussions/${id}`);
    const reply = { discussionId: id, body: "**Thanks.**", clientId: crypto.randomUUID() };
    const first = await callData(client, "reply", reply);
    expect(await callData(client, "reply", reply)).toEqual(first);
    await call(client, "react", { postId: first["id"], emoji: "🍐" });
    const read = await call(client, "read_discussion", { discussion: address, after: 1 });
    expect(read.data).toMatchObject({
      title: "Water meter",
      posts: [{ id: first["id"], number: 2, text: "**Thanks.**", author: expect.any(String) }],
      next: null,
    });
    expect(read.text).toContain("**Thanks.**");
    const byPost = await call(client, "read_discussion", { discussion: first["url"], limit: 1 });
    expect(byPost.data).toMatchObject({ id, next: 1 });
    const reactions = await many(database.db, sql`select from reactions where post_id = ${first["id"]}`);
    expect(reactions).toHaveLength(1);

    const saved = await callData(client, "save_resource", sampleInputs()["save_resource"]);
    expect(saved["url"]).toBe(`${testApi.origin()}/resources/${String(saved["id"])}`);
    const sent = await callData(client, "send_message", { to: ["tomas"], body: "Hello." });
    expect(sent["url"]).toContain(`/conversations/${String(sent["conversationId"])}`);
  });

  test("reads resources and prompts", async () => {
    const client = await connectAs(people.mira, TOKEN_SCOPES, mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`kith://group/${at.groupId}`);
    for (const [kind, id] of [
      ["discussion", at.discussionId],
      ["group", at.groupId],
      ["event", at.eventId],
      ["resource", at.resourceId],
    ] as const) {
      const { contents } = await client.readResource({ uri: `kith://${kind}/${id}` });
      expect([kind, contents[0]]).toEqual([kind, expect.objectContaining({ mimeType: "text/markdown" })]);
      expect([kind, JSON.stringify(contents)]).toEqual([kind, expect.stringContaining(testApi.origin())]);
    }
    const draft = await client.getPrompt({
      name: "draft-a-reply",
      arguments: { discussion: at.discussionId, wish: "Say yes." },
    });
    expect(JSON.stringify(draft.messages)).toContain("Say yes.");
    expect(JSON.stringify(draft.messages)).toContain(INSIDE_WORD);
    const caughtUp = await client.getPrompt({ name: "catch-me-up", arguments: { days: "30" } });
    expect(JSON.stringify(caughtUp.messages)).toContain("30 days");
  });
});

describe("tools", () => {
  test("state their scope and whether they change something", async () => {
    const client = await connectAs(people.mira, ["groups:read"]);
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations, inputSchema, outputSchema, description }) => {
      expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, "object", "object"]);
      const [, scope = null] = /Needs the scope (\S+)\.$/.exec(description!) ?? [];
      return [name, annotations!.readOnlyHint, annotations!.destructiveHint, scope];
    });
    expect(hints).toEqual([
      ["search", true, false, null],
      ["read_discussion", true, false, "discussions:read"],
      ["list_groups", true, false, "groups:read"],
      ["list_events", true, false, "events:read"],
      ["start_discussion", false, false, "discussions:write"],
      ["reply", false, false, "discussions:write"],
      ["react", false, false, "discussions:write"],
      ["save_resource", false, false, "resources:write"],
      ["send_message", false, false, "messages:write"],
    ]);
  });

  test("refuse a token without the required scope, and name the scope", async () => {
    const inputs = sampleInputs();
    expect(Object.keys(inputs)).toEqual(TOOLS.map(({ name }) => name));
    for (const { name, scope } of TOOLS) {
      if (!scope) continue;
      const [area, access] = scope;
      const others = TOKEN_SCOPES.filter((it) => !it.startsWith(area));
      const client = await connectAs(
        people.mira,
        access === "write" && area !== "moderation" ? [...others, `${area}:read`] : others,
      );
      expect([name, await call(client, name, inputs[name])]).toEqual([
        name,
        {
          text: `This access token does not have the scope “${area}:${access}”.`,
          data: undefined,
          failed: true,
        },
      ]);
    }
  }, 60_000);

  test("reach nothing outside the groups that a token is limited to", async () => {
    await testApi.index();
    const { id: otherId } = await createTestGroup(database, people, { name: "Quince growers" });
    const { token } = await createToken(people.mira, TOKEN_SCOPES, [otherId]);
    const client = await connect(token);
    const { data: listed } = await call(client, "list_groups");
    expect(listed).toMatchObject({ groups: [{ id: otherId }] });
    const { data: events } = await call(client, "list_events", { from: "2020-01-01T00:00:00Z" });
    const { data: found } = await call(client, "search", { query: INSIDE_WORD });
    expect([events?.["events"], found?.["results"]]).toEqual([[], []]);
    for (const kind of ["discussion", "group", "event", "resource"] as const)
      await expect(client.readResource({ uri: `kith://${kind}/${at[`${kind}Id`]}` })).rejects.toThrow(
        "Not found.",
      );
    const caughtUp = await client.getPrompt({ name: "catch-me-up", arguments: {} });
    expect(JSON.stringify(caughtUp.messages)).not.toContain(INSIDE_WORD);
    expect((await call(client, "reply", sampleInputs()["reply"])).text).toBe("Not found.");
    const { data: started } = await call(client, "start_discussion", {
      ...sampleInputs()["start_discussion"],
      groupId: otherId,
    });
    expect(started).toBeDefined();
  });

  test("give the same answer for unreadable and for missing ids", async () => {
    const client = await connectAs(people.noor);
    const missing = "01900000-0000-7000-8000-00000000dead";
    for (const [name, key, foreign] of [
      ["read_discussion", "discussion", at.discussionId],
      ["start_discussion", "groupId", at.groupId],
      ["reply", "discussionId", at.discussionId],
      ["react", "postId", at.postId],
      ["save_resource", "groupId", at.groupId],
      ["send_message", "conversationId", at.conversationId],
    ] as const) {
      const answers = [];
      for (const id of [foreign, missing])
        answers.push(await call(client, name, { ...sampleInputs()[name], [key]: id }));
      expect([name, answers[0]!.failed, answers[0]]).toEqual([name, true, answers[1]]);
    }
    for (const kind of ["discussion", "group", "event", "resource"])
      await expect(client.readResource({ uri: `kith://${kind}/${at.discussionId}` })).rejects.toThrow(
        "Not found.",
      );
  });

  test("reject invalid input and text that the database cannot store", async () => {
    const client = await connectAs(people.mira);
    for (const [name, input] of [
      ["search", { query: "x".repeat(301) }],
      ["read_discussion", { discussion: at.discussionId, limit: 51 }],
      ["reply", { discussionId: "' or true", body: "x" }],
      ["reply", { discussionId: at.discussionId, body: "x".repeat(32_001) }],
      ["send_message", { to: ["tomas"], conversationId: at.conversationId, body: "Hello." }],
      ["send_message", { body: "Hello." }],
      ["save_resource", { url: "javascript:alert(1)", title: "Pears" }],
    ] as const)
      expect([name, await call(client, name, input)]).toMatchObject([name, { failed: true }]);
    const unstorable = await call(client, "read_discussion", { discussion: `\0${at.groupId}'` });
    expect(unstorable).toEqual({ text: "Not found.", data: undefined, failed: true });
  });
});
