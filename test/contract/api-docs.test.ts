import { findSessionById, findTokenIdentity } from "#community/accounts";
import type { AddressInfo } from "node:net";
import Backendless from "backendless";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listenToLogs } from "#baas/logging";
import { createSharedObjectStore } from "#baas/shared-objects";
import { createLog } from "#platform/log";
import { onCommitted } from "#platform/outbox";
import { serveRealtime } from "../../src/api/realtime/index.ts";
import { startExtensions, createExtensionHost } from "../../src/api/rest/index.ts";
import {
  APP,
  CLIENT,
  startTestApi,
  PASSWORD,
  type TestRestApi,
  SERVER,
} from "../support/rest/rest-server.ts";
import { createServiceFixtures } from "../support/contract/service-steps.ts";
import { startPlayStore } from "../support/rest/play-store.ts";
import { createTestDocument, createFakeEngine } from "../support/search/search-api.ts";
import { serveSearch } from "../../src/api/search/index.ts";
import { createTestDiscussion, createTestGroup, createPerson } from "../support/test-users.ts";
import { testDatabase } from "../support/setup/test-database.ts";
import { readExamples, runExample } from "../support/contract/docs-examples.ts";

const { parts, examples } = readExamples("docs/api.md");
const database = await testDatabase();
const log = createLog("silent");
const ends: (() => unknown)[] = [];
let testApi: TestRestApi;

/** A server with the whole API, the example extension, and a test store for purchases. */
async function open() {
  const store = await startPlayStore();
  store.knows("products", "gold", "bought", { purchaseState: 0 });
  const purchases = {
    database,
    log,
    google: store.google,
    grants: { give: async () => [], take: async () => {} },
  };
  const extensions = createExtensionHost({ folder: "extensions/example", log, now: () => database.clock.at });
  const providers = [
    {
      kind: "openid" as const,
      name: "google",
      issuer: "https://accounts.example.org",
      clientId: "id",
      clientSecret: "secret",
    },
  ];
  const served = await startTestApi(database, { purchases, extensions, providers }, (server, app) => {
    const more = {
      sharedObjects: createSharedObjectStore(database),
      trustProxy: false as const,
      publishToOthers: () => {},
      shareWithOthers: () => {},
    };
    const realtime = serveRealtime(server, { ...app, ...more, db: database.db, lookups: database.db });
    ends.push(onCommitted(realtime.deliver), listenToLogs(app.logs, realtime.log));
    const { engine } = createFakeEngine([
      createTestDocument("1", { title: "Beans after the ice saints", tags: ["beans"] }),
    ]);
    const findSession = (id: string) => findSessionById(app, id);
    const findToken = (token: string, address: string) => findTokenIdentity(app, token, address);
    void serveSearch(server, { ...app, engine, seal: Buffer.alloc(32, 7), findSession, findToken });
  });
  await startExtensions(served.app);
  ends.unshift(
    () => (Backendless.RT as unknown as { disconnect: () => void }).disconnect(),
    served.close,
    () => extensions.close(),
    store.close,
  );
  return served;
}

/** Mira, and a group of others with a discussion in it. */
async function people() {
  await testApi.member("mira", { name: "Mira" });
  const [tomas, ines] = await database.inTransaction((tx) =>
    Promise.all([createPerson(tx, "tomas"), createPerson(tx, "ines")]),
  );
  const { id: groupId } = await createTestGroup(database, { tomas, mira: ines });
  const { id: discussionId } = await createTestDiscussion(database, tomas, groupId);
  return { groupId, discussionId };
}

beforeAll(async () => {
  testApi = await open();
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Replaces the page's server address, password and picture by those of the test. */
const asHere = (line: string) =>
  line
    .replace(`{ url: "kith.example.org", accept: "readWrite", protocol: "https" }`, () => {
      const { port } = testApi.server.server.address() as AddressInfo;
      return `{ url: "127.0.0.1", port: ${port}, accept: "readWrite", protocol: "http" }`;
    })
    .replaceAll("https://kith.example.org", testApi.origin())
    .replace(`"mira@example.org", "…"`, `"mira@example.org", "${PASSWORD}"`)
    .replace(`createReadStream("peas.jpg")`, `createReadStream("docs/screenshot.png")`);

describe("API documentation", () => {
  test("has an example in each part", () => {
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.filter((part) => !examples.some((it) => it.part === part))).toEqual([]);
  });

  // One test, because each example builds on those before it.
  test("has examples that work as described", async () => {
    await testApi.set({ writingLimits: false, filesWrittenBy: "members" });
    const keys = { appId: APP, clientKey: CLIENT, serverKey: SERVER, searchKey: testApi.app.searchKey };
    const { flow: flowId, trigger: triggerId } = await createServiceFixtures(testApi.app);
    const reaching = { deviceId: "phone", tokenOfTheDevice: "token", flowId, triggerId };
    const scope = {
      ...reaching,
      Backendless,
      console: { log: () => {} },
      ...keys,
      purchaseToken: "bought",
      ...(await people()),
    };
    for (const example of examples) {
      const checks = await runExample(example, scope, asHere);
      expect({ example: example.heading, held: checks > 0 }).toEqual({
        example: example.heading,
        held: true,
      });
    }
  }, 300_000);
});
