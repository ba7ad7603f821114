import { maybeOne, sql } from "#platform/database";
import type { Environment } from "#platform/environment";
import type { House } from "#web/server";
import type { Memory } from "./memory.ts";

const DEMO_PEOPLE = [
  ["mira", "a member"],
  ["tomas", "owns groups"],
  ["ines", "site moderator"],
  ["ada", "admin"],
] as const;

type Given = {
  demoPassword: string;
  house: House;
  environment: Environment;
  memory: Memory;
  setUpLink: string | null;
  say: (sentence: string) => void;
};

/** Prints the address and the ways to sign in. */
export async function greet({ house, demoPassword, environment, memory, setUpLink, say }: Given) {
  const { name } = await house.settings.get();
  say(`\n${name} is open at ${house.origin()}   (with ${memory.kind}, data in ${environment.dataDir})`);
  if (house.mailboxOpen) say(`Mail does not leave this machine: read it at ${house.origin()}/dev/mail`);
  const demo = await maybeOne(house.db, sql<{ n: number }>`select 1 as n from people where email = 'mira@example.org'`);
  if (demo) {
    say(`\nSign in as one of the demo's people, password ${demoPassword}:`);
    for (const [username, who] of DEMO_PEOPLE) say(`  ${username.padEnd(6)} ${who}`);
  }
  if (setUpLink) say(`\nSet the admin's password here, once: ${setUpLink}`);
  say("\nStop with Ctrl-C.");
}
