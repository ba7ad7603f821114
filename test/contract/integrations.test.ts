import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccessToken, NewAccessToken } from "#community/accounts";
import { createBot } from "#community/bots";
import { createIncomingWebhook, IncomingWebhookForm } from "#community/webhooks";
import { many, sql } from "#platform/database";
import { createTestDiscussion, createTestGroup, createPerson } from "../support/test-users.ts";
import { testViewer } from "../support/accounts/accounts-context.ts";
import { readExamples, runExample } from "../support/contract/docs-examples.ts";
import { type IntegrationsApi, startIntegrationsApi } from "../support/rest/integrations-api.ts";
import { APP, PASSWORD } from "../support/rest/rest-server.ts";
import { testDatabase } from "../support/setup/test-database.ts";

const { examples } = readExamples("docs/integrations.md", "sh run");
const { examples: sessions } = readExamples("docs/integrations.md", "js run");
const database = await testDatabase();
let testApi: IntegrationsApi;
beforeAll(async () => {
  testApi = await startIntegrationsApi(database);
});
afterAll(() => testApi.close());

/** Runs the lines of an example in a shell, and returns what it prints. */
const runShell = async (lines: string[], env: Record<string, string>) =>
  (await promisify(execFile)("sh", ["-c", lines.join("\n")], { env: { PATH: process.env["PATH"], ...env } }))
    .stdout;

/** Creates a community with a discussion, and a token of a member. */
async function setUpToken() {
  await testApi.set({ writingLimits: false });
  const mira = testViewer(await testApi.member("mira", { name: "Mira" }));
  const ines = await database.inTransaction((tx) => createPerson(tx, "ines"));
  const { id: groupId } = await createTestGroup(database, { tomas: ines, mira });
  const { id: discussionId } = await createTestDiscussion(database, mira, groupId, { title: "First beans" });
  await testApi.index();
  const input = NewAccessToken.parse({
    name: "Shell",
    scopes: ["discussions:write", "groups:read"],
    lifetime: "7",
  });
  const { token } = await createAccessToken(testApi.app, mira, input, { proof: PASSWORD, sessionId: null });
  const hookToken = await database.inTransaction(async (tx) => {
    const { id: botId } = await createBot(tx, ines, { groupId, name: "Builds" });
    const form = IncomingWebhookForm.parse({ name: "CI", botId, discussion: discussionId });
    return (await createIncomingWebhook(tx, ines, { groupId, ...form })).token;
  });
  return { token, groupId, discussionId, hook: `${testApi.origin()}/hooks/${hookToken}` };
}

test("examples for integrations run in a shell as described", async () => {
  const { token, groupId, discussionId, hook } = await setUpToken();
  const env = {
    KITH: `${testApi.origin()}/api`,
    TOKEN: token,
    APP,
    DISCUSSION: discussionId,
    GROUP: groupId,
    HOOK: hook,
    CLIENT_ID: "01900000-0000-7000-8000-00000000abcd",
  };
  expect(examples.length).toBeGreaterThan(4);
  for (const { heading, lines } of examples) {
    const expected: unknown = JSON.parse(lines.at(-1)!.replace("# → ", ""));
    const printed = await runShell(lines.slice(0, -1), env);
    expect([heading, JSON.parse(printed) as unknown]).toMatchObject([heading, expected]);
  }
});

test("example of a Slack-webhook poster posts with the address of an incoming webhook", async () => {
  const { hook } = await setUpToken();
  const { examples: posters } = readExamples("docs/integrations.md", "js poster");
  expect(posters).toHaveLength(1);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", posters[0]!.lines.join("\n")],
    { env: { SLACK_WEBHOOK_URL: hook } },
  );
  expect(stdout).toBe("ok\n");
  const [post] = await many(
    database.db,
    sql<{ body: string }>`select body_md as body from posts order by id desc`,
  );
  expect(post!.body).toBe("**Deployed** [the shop](<https://shop.example>)\n\n> Version: 2.1");
});

test("example session of an MCP client runs as described", async () => {
  const { token } = await setUpToken();
  const scope = { token, MCP: new URL("/mcp", testApi.origin()) };
  expect(sessions).toHaveLength(1);
  for (const session of sessions) expect(await runExample(session, scope, (line) => line)).toBeGreaterThan(2);
});
