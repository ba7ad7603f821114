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
  databaseServer: DatabaseServer;
  setUpLink: string | null;
  print: (sentence: string) => void;
};

/** Prints the address and the ways to sign in. */
export async function printStartupMessage({
  app,
  demoPassword,
  environment,
  databaseServer,
  setUpLink,
  print,
}: StartupOptions) {
  const { name } = await app.settings.get();
  print(
    `\n${name} is open at ${app.origin()}   (with ${databaseServer.kind}, data in ${environment.dataDir})`,
  );
  if (app.mailboxOpen) print(`Mail does not leave this machine: read it at ${app.origin()}/dev/mail`);
  const demo = await maybeOne(
    app.db,
    sql<{ n: number }>`select 1 as n from people where email = 'mira@example.org'`,
  );
  if (demo) {
    print(`\nSign in as one of the demo's people, password ${demoPassword}:`);
    for (const [username, who] of DEMO_SIGN_INS) print(`  ${username.padEnd(6)} ${who}`);
  }
  if (setUpLink) print(`\nSet up your community here, once: ${setUpLink}`);
  print("\nStop with Ctrl-C.");
}
