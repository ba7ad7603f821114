import { argon2Sync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvironment } from "#platform/environment";
import { createLog } from "#platform/log";
import { seedDemoIfEmpty, MIGRATIONS, createAppContext } from "../../../src/app/app.ts";
import { createHttpApp } from "../../../src/app/http-server.ts";
import { prepareDatabase } from "../../../src/app/open-database.ts";
import { loadWebBuild } from "../../../src/app/web-build.ts";
import { DEMO_PASSWORD, readSecrets } from "../../../src/app/secrets.ts";
import { createDeadLink } from "./dead-link.ts";
import { startTestDatabaseServer } from "../setup/global-setup.ts";

/** Starts the whole server with the demo community for browser tests, on a database in databaseServer. */
const port = process.env["KITH_TEST_PORT"] ?? "4180";
const dataDir = mkdtempSync(join(tmpdir(), "kith-browser-"));
const cluster = await startTestDatabaseServer();
const environment = readEnvironment({
  PORT: port,
  KITH_DATA: dataDir,
  KITH_URL: process.env["KITH_TEST_URL"] ?? `http://127.0.0.1:${port}`,
  LOG_LEVEL: "error",
  KITH_APP_ID: "kith-browser-tests",
  KITH_EXTENSIONS: "extensions/example",
  KITH_PROOF_EFFORT: "5",
  ...pickOidcVariables(process.env),
});
const log = createLog(environment.logLevel);
const databaseServer = { connection: cluster.server, kind: "a test server", stop: cluster.stop };
const ignoreMessage = () => {};
await prepareDatabase(databaseServer, MIGRATIONS, ignoreMessage, log);
const options = { environment, databaseServer, secrets: readSecrets(environment), log };
const app = createAppContext(options);
await seedDemoIfEmpty(app, DEMO_PASSWORD, ignoreMessage);
// In the demo four people can sign in. Here all can, because two browser projects use one server.
await app.database.pool.query("update people set password_hash = $1", [hashCheaply(DEMO_PASSWORD)]);
// Pictures of all people would cost a fifth of each page's time. Those of the people who sign in stay.
await app.database.pool.query("update people set photo_id = null where username <> all ($1)", [
  ["mira", "tomas", "ines", "ada"],
]);
// With `firstPosts: "links"`, new members' posts that contain links need approval; one test checks this.
// Rate limits are off, because all tests share one address and four people; the limits have tests of their
// own.
const admin = { id: await findPersonId("ada"), role: "admin", trust: "established", limited: false } as const;
await app.database.inTransaction((tx) =>
  app.settings.set(tx, admin, {
    accountsPerAddress: 0,
    registrationTries: 0,
    writingLimits: false,
    firstPosts: "links",
  }),
);
await createDeadLink(app.database, {
  id: await findPersonId("tomas"),
  role: "member",
  trust: "established",
  limited: false,
});
// All tests share one address and sign in more often than a person would.
const take = app.limits.take.bind(app.limits);
app.limits.take = (name, ...rest) => (name === "forms-guest" ? Promise.resolve() : take(name, ...rest));
const build = await loadWebBuild();
const runningApp = await createHttpApp(app, { ...options, build });
await runningApp.server.listen({ port: environment.port, host: "127.0.0.1" });

process.on("SIGTERM", () => {
  void runningApp
    .close()
    .then(cluster.stop)
    .finally(() => {
      rmSync(dataDir, { recursive: true, force: true });
      process.exit(0);
    });
});

/** Password hash with the lowest cost: the tests sign in a thousand times, each of which would take 30 ms. */
function hashCheaply(password: string): string {
  const cost = { memory: 8, passes: 1, parallelism: 1 };
  const nonce = randomBytes(16);
  const key = argon2Sync("argon2id", { message: password, nonce, tagLength: 32, ...cost });
  const [salt, hash] = [nonce, key].map((bytes) => bytes.toString("base64").replace(/=+$/, ""));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${salt}$${hash}`;
}

async function findPersonId(username: string) {
  const { rows } = await app.database.pool.query<{ id: string }>(
    "select id from people where username = $1",
    [username],
  );
  return rows[0]!.id;
}

function pickOidcVariables(from: NodeJS.ProcessEnv) {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name.startsWith("OIDC_")));
}
