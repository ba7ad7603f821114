import { createECDH, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { type Environment, EnvironmentFault } from "#platform/environment";
import { hideInLogs } from "#platform/log";

export type Secrets = {
  seal: Buffer;
  appId: string;
  clientKey: string;
  serverKey: string;
  searchKey: string;
  demoPassword: string;
  /** VAPID keys. With other keys every browser has to subscribe again. */
  push: { publicKey: string; privateKey: string };
};

/** Password of the demo people in development, known to everybody. Production generates its own. */
export const DEMO_PASSWORD = "lindenhof-garden-26";

const Kept = z.object({
  seal: z.base64(),
  appId: z.string(),
  clientKey: z.string(),
  serverKey: z.string(),
  searchKey: z.string(),
  demoPassword: z.string(),
  // Newer than the others: older installations get it on their next start.
  push: z.object({ publicKey: z.string(), privateKey: z.string() }).optional(),
});

function newPushKeys() {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  // A key with leading zeros is shorter than its 32 bytes.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}

const newKey = () => randomBytes(20).toString("hex").toUpperCase();

/** Secrets of this installation, created once in the data folder; keys of the environment take precedence. */
export function readSecrets({ dataDir, keys, production }: Pick<Environment, "dataDir" | "keys" | "production">): Secrets {
  const path = join(dataDir, "secrets.json");
  const kept = existsSync(path) ? read(path) : make(dataDir, path);
  const secrets = {
    seal: Buffer.from(kept.seal, "base64"),
    appId: keys.app ?? kept.appId,
    clientKey: keys.client ?? kept.clientKey,
    serverKey: keys.server ?? kept.serverKey,
    searchKey: keys.search ?? kept.searchKey,
    demoPassword: production ? kept.demoPassword : DEMO_PASSWORD,
    push: kept.push ?? addPush(path, kept),
  };
  const { clientKey, serverKey, searchKey } = secrets;
  hideInLogs([clientKey, serverKey, searchKey, kept.seal, kept.demoPassword, secrets.push.privateKey]);
  return secrets;
}

/** Damaged secrets are never overwritten: second steps and API keys would be lost. */
function read(path: string): z.output<typeof Kept> {
  try {
    return Kept.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new EnvironmentFault(
      "KITH_DATA",
      `holds a file ${path} that cannot be read. Put it back from a backup; without it, remove it and new keys are made.`,
    );
  }
}

function addPush(path: string, kept: z.output<typeof Kept>) {
  const push = newPushKeys();
  keep(path, { ...kept, push });
  return push;
}

function make(dataDir: string, path: string): z.output<typeof Kept> {
  const made = {
    seal: randomBytes(32).toString("base64"),
    appId: newKey(),
    clientKey: newKey(),
    serverKey: newKey(),
    searchKey: newKey(),
    demoPassword: randomBytes(12).toString("base64url"),
    push: newPushKeys(),
  };
  try {
    makeFolder(dataDir);
    keep(path, made);
  } catch (error) {
    throw new EnvironmentFault("KITH_DATA", `names ${dataDir}, which cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
  return made;
}

/** Folder by folder: Node's recursive mkdir never ends where a folder cannot be created (below /proc). */
function makeFolder(path: string) {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function keep(path: string, made: z.output<typeof Kept>) {
  // Written beside and renamed: a full disk must not leave half a file that locks everybody out.
  writeFileSync(`${path}.new`, JSON.stringify(made, null, 2), { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}
