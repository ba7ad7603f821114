import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { createMessagingContext } from "#baas/messaging";
import { createDeviceRegistry, queueDevicePush } from "#baas/devices";
import { createAutomationContext } from "#baas/automations";
import { createLogStore } from "#baas/logging";
import { createEmailContext } from "#baas/email";
import { createDataTableStore } from "#baas/data";
import { registerByInvitation } from "#community/groups";
import { createTestAccounts } from "./accounts/test-accounts.ts";
import { startNamedSessions } from "./accounts/named-sessions.ts";
import { isSignedIn, type Viewer } from "#community/rules";
import { createSharedPostsCache } from "#community/discussions";
import { createSearch } from "#community/search";
import { openSettings } from "#community/settings";
import { run, sql } from "#platform/database";
import { createHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { createLog } from "#platform/log";
import { createSigner } from "#platform/signing";
import { createFolderStorage } from "#platform/storage";
import { createMarkupCache, GuestPageCache, type WebContext, servePages } from "#web/server";
import { createTestFileStore } from "./rest/file-store.ts";
import { createEntityEvents } from "#api/rest";
import { loadWebBuild } from "../../src/app/web-build.ts";
import { dropChangedValues } from "./discussions/shared-posts.ts";
import { NO_PUSH_PROVIDERS } from "./push-unconfigured.ts";
import type { TestDatabase } from "./setup/test-database.ts";

/**
 * Serves the built pages on a test database as in production. Send the headers of `as` to be signed in: the
 * session cookie is the viewer's id here. `limits` are the rate limits, those of production unless given.
 */
export async function serveBuiltPages(database: TestDatabase, { limits = new Limits() } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "kith-pages-"));
  const present = new Map<string, Viewer>();
  /** Each viewer's session is started only once, because tests count the queries of later requests. */
  const sessions = new Map<string, { viewer: Viewer; isStarted: Promise<void> }>();
  /** Starts a session of a person, who gets the viewer's trust and restrictions. */
  async function startSessionOf(viewer: Viewer) {
    await run(
      database.db,
      sql`update people set trust = ${viewer.trust}, state = case when ${viewer.limited} then 'limited'
            when state = 'limited' then 'active' else state end where id = ${viewer.id}`,
    );
    await startNamedSessions(database, { [viewer.id!]: viewer });
  }
  const settings = openSettings(database);
  const origin = () => "http://kith.test";
  const signer = createSigner(Buffer.alloc(32));
  const accounts = createTestAccounts(database, {
    settings,
    limits,
    origin,
    seal: Buffer.alloc(32),
    registerInvited: registerByInvitation,
  });
  const log = createLog("silent");
  const sharedPosts = createSharedPostsCache();
  const markup = createMarkupCache();
  const tables = createDataTableStore({ database, dynamicSchema: true });
  const channels = createMessagingContext(database, queueDevicePush);
  const logs = createLogStore(database);
  const app = {
    ...accounts,
    db: database.db,
    sharedPosts,
    markup,
    search: createSearch({ database }),
    storage: createFolderStorage(folder),
    imports: join(folder, "imports"),
    log,
    signer,
    proofEffort: 5,
    mailboxOpen: false,
    sendsMail: true,
    serverKey: "",
    tables,
    files: createTestFileStore(database, settings, join(folder, "program-files")),
    extensions: { status: { folder: "extensions", files: [], parts: [], faults: [], mishaps: [] } },
    devices: createDeviceRegistry(database, NO_PUSH_PROVIDERS, createLog("silent")),
    mails: createEmailContext({ database, rules: async () => ({ perHour: 0 }) }),
    channels,
    logs,
    flows: createAutomationContext({
      database,
      tables,
      entities: createEntityEvents({ database, tables, settings }),
      channels,
      logs,
      log,
    }),
    publicConfig: { appId: "", clientKey: "", searchKey: "", search: { lite: true, cache: true } },
    searchKeyOf: () => "",
  } as unknown as WebContext;
  const server = createHttpServer({ log: app.log, trustProxy: false });
  server.addHook("onRequest", async ({ headers }) => {
    const token = /kith_session=([\w-]+)/.exec(headers.cookie ?? "")?.[1] ?? "";
    const viewer = present.get(token);
    if (viewer && sessions.get(token)?.viewer !== viewer)
      sessions.set(token, { viewer, isStarted: startSessionOf(viewer) });
    await sessions.get(token)?.isStarted;
  });
  const pages = new GuestPageCache();
  const build = await loadWebBuild();
  await servePages(server, { app, pages, build, production: true });
  const stopDropping = dropChangedValues([pages, sharedPosts]);
  // Each test has its own data, so guest pages cached by the previous test are dropped.
  beforeEach(() => {
    pages.clear();
    sharedPosts.clear();
    markup.clear();
    sessions.clear();
    settings.forget();
  });
  afterAll(async () => {
    stopDropping();
    await server.close();
    await rm(folder, { recursive: true });
  });
  const as = (viewer: Viewer): Record<string, string> => {
    if (!isSignedIn(viewer)) return {};
    present.set(viewer.id, viewer);
    return { cookie: `kith_session=${viewer.id}` };
  };
  return { app, server, pages, build, signer, as };
}
