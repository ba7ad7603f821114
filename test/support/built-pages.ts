import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { openMessaging } from "#baas/messaging";
import { openDevices, queueDevicePush } from "#baas/devices";
import { openAutomations } from "#baas/automations";
import { openLogs } from "#baas/logging";
import { openEmail } from "#baas/email";
import { openDataTables } from "#baas/data";
import { registerByInvitation } from "#community/groups";
import { createTestAccounts } from "./accounts/test-accounts.ts";
import { startNamedSessions } from "./accounts/named-sessions.ts";
import { isSignedIn, type Viewer } from "#community/rules";
import { openSharedPosts } from "#community/discussions";
import { openSearch } from "#community/search";
import { openSettings } from "#community/settings";
import { run, sql } from "#platform/database";
import { openHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { openSigner } from "#platform/signing";
import { openFolderStorage } from "#platform/storage";
import { GuestPageCache, type WebContext, servePages } from "#web/server";
import { openTestFiles } from "./rest/file-store.ts";
import { createEntityEvents } from "#api/rest";
import { loadWebBuild } from "../../src/app/web-build.ts";
import { dropChanged } from "./discussions/shared-posts.ts";
import { NO_PUSH_PROVIDERS } from "./push-unconfigured.ts";
import type { TestDatabase } from "./setup/test-database.ts";

/**
 * Serves the built pages on a test database as in production. Send the headers of `as` to be signed in: the
 * session cookie is the viewer's id here.
 */
export async function serveBuiltPages(database: TestDatabase) {
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
  const limits = new Limits();
  const origin = () => "http://kith.test";
  const signer = openSigner(Buffer.alloc(32));
  const accounts = createTestAccounts(database, {
    settings,
    limits,
    origin,
    seal: Buffer.alloc(32),
    registerInvited: registerByInvitation,
  });
  const log = openLog("silent");
  const sharedPosts = openSharedPosts();
  const tables = openDataTables({ database, dynamicSchema: true });
  const channels = openMessaging(database, queueDevicePush);
  const logs = openLogs(database);
  const app = {
    ...accounts,
    db: database.db,
    sharedPosts,
    search: openSearch({ database }),
    storage: openFolderStorage(folder),
    imports: join(folder, "imports"),
    log,
    signer,
    mailboxOpen: false,
    serverKey: "",
    tables,
    files: openTestFiles(database, settings, join(folder, "program-files")),
    extensions: { status: { folder: "extensions", files: [], parts: [], faults: [], mishaps: [] } },
    devices: openDevices(database, NO_PUSH_PROVIDERS, openLog("silent")),
    mails: openEmail({ database, rules: async () => ({ perHour: 0 }) }),
    channels,
    logs,
    flows: openAutomations({
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
  const server = openHttpServer({ log: app.log, trustProxy: false });
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
  const stopDropping = dropChanged([pages, sharedPosts]);
  // Each test has its own data, so guest pages cached by the previous test are dropped.
  beforeEach(() => {
    pages.clear();
    sharedPosts.clear();
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
  return { server, pages, build, signer, as };
}
