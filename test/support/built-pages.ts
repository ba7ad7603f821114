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
import { openAccounts } from "#community/accounts";
import { isSignedIn, type Viewer } from "#community/rules";
import { openSearch } from "#community/search";
import { openSettings } from "#community/settings";
import { one, sql } from "#platform/database";
import { openHttpServer } from "#platform/http";
import { Limits } from "#platform/limits";
import { openLog } from "#platform/log";
import { openSigner } from "#platform/signing";
import { openFolderStorage } from "#platform/storage";
import { GuestPageCache, type WebContext, servePages } from "#web/server";
import { openTestFiles } from "./rest/file-store.ts";
import { createEntityEvents } from "#api/rest";
import { loadWebBuild } from "../../src/app/web-build.ts";
import { NO_PUSH_PROVIDERS } from "./push-unconfigured.ts";
import type { TestDatabase } from "./setup/test-database.ts";

/**
 * Serves the built pages on a test database as in production. Send the headers of `as` to be signed in: here
 * a session cookie is the viewer's id.
 */
export async function serveBuiltPages(database: TestDatabase) {
  const folder = await mkdtemp(join(tmpdir(), "kith-pages-"));
  const present = new Map<string, Viewer>();
  async function findSession(token: string) {
    const viewer = present.get(token);
    if (!viewer || !isSignedIn(viewer)) return accounts.findSession(token, "web");
    const person = await one(
      database.db,
      sql`select id, username, display_name as name, photo_id as "photoId", site_role as role, trust, locale,
        theme, time_zone as "timeZone" from people where id = ${viewer.id}`,
    );
    return { viewer, person, session: { id: viewer.id } };
  }
  const settings = openSettings(database);
  const limits = new Limits();
  const origin = () => "http://kith.test";
  const signer = openSigner(Buffer.alloc(32));
  const accounts = openAccounts({
    database,
    settings,
    limits,
    origin,
    now: () => database.clock.at,
    seal: Buffer.alloc(32),
    providers: [],
    registerInvited: registerByInvitation,
  });
  const log = openLog("silent");
  const tables = openDataTables({ database, dynamicSchema: true });
  const channels = openMessaging(database, queueDevicePush);
  const logs = openLogs(database);
  const app = {
    database,
    db: database.db,
    accounts: { ...accounts, findSession },
    settings,
    limits,
    search: openSearch({ database }),
    storage: openFolderStorage(folder),
    imports: join(folder, "imports"),
    log,
    signer,
    origin,
    mailboxOpen: false,
    providers: [],
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
      nouns: createEntityEvents({ database, tables, settings }),
      channels,
      logs,
      log,
    }),
    publicConfig: { appId: "", clientKey: "", searchKey: "", search: { lite: true, cache: true } },
    searchKeyOf: () => "",
  } as unknown as WebContext;
  const server = openHttpServer({ log: app.log, trustProxy: false });
  const pages = new GuestPageCache();
  const build = await loadWebBuild();
  await servePages(server, { app, pages, build, production: true });
  // Each test has its own data; cached guest pages would show the previous one's.
  beforeEach(() => {
    pages.clear();
    settings.forget();
  });
  afterAll(async () => {
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
