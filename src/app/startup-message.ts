import { maybeOne, sql } from "#platform/database";
import type { Environment } from "#platform/environment";
import type { WebContext } from "#web/server";
import type { DatabaseServer } from "./open-database.ts";

const DEMO_SIGN_INS = [
  ["mira", "a member"],
  ["tomas", "owns groups"],
  ["ines", "site moderator"],
  ["ada", "admin"],
] as const;

type StartupOptions = {
  demoPassword: string;
  app: WebContext;
  environment: Environment;
  memory: DatabaseServer;
  setUpLink: string | null;
  say: (sentence: string) => void;
};

/** Prints the address and the ways to sign in. */
export async function printStartupMessage({
  app,
  demoPassword,
  environment,
  memory,
  setUpLink,
  say,
}: StartupOptions) {
  const { name } = await app.settings.get();
  say(`\n${name} is open at ${app.origin()}   (with ${memory.kind}, data in ${environment.dataDir})`);
  if (app.mailboxOpen) say(`Mail does not leave this machine: read it at ${app.origin()}/dev/mail`);
  const demo = await maybeOne(
    app.db,
    sql<{ n: number }>`select 1 as n from people where email = 'mira@example.org'`,
  );
  if (demo) {
    say(`\nSign in as one of the demo's people, password ${demoPassword}:`);
    for (const [username, who] of DEMO_SIGN_INS) say(`  ${username.padEnd(6)} ${who}`);
  }
  if (setUpLink) say(`\nSet the admin's password here, once: ${setUpLink}`);
  say("\nStop with Ctrl-C.");
}
