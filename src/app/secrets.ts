import { createECDH, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { type Environment, EnvironmentError } from "#platform/environment";
import { errorCode } from "#platform/errors";
import { redactInLogs } from "#platform/log";

export type Secrets = {
  seal: Buffer;
  appId: string;
  clientKey: string;
  serverKey: string;
  searchKey: string;
  demoPassword: string;
  /** VAPID keys. When they change, every browser has to subscribe again. */
  push: { publicKey: string; privateKey: string };
};

/**
 * Password of the demo people in development. Everybody knows it, so a password is generated in production.
 */
export const DEMO_PASSWORD = "lindenhof-garden-26";

const SecretsFile = z.object({
  seal: z.base64(),
  appId: z.string(),
  clientKey: z.string(),
  serverKey: z.string(),
  searchKey: z.string(),
  demoPassword: z.string(),
  // Missing in the file of an older installation, which gets these keys on its next start.
  push: z.object({ publicKey: z.string(), privateKey: z.string() }).optional(),
});

function createPushKeys() {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  // The key is padded to 32 bytes, because leading zeros are missing in the output.
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}

const createKey = () => randomBytes(20).toString("hex").toUpperCase();

/**
 * Reads the secrets of this installation; creates them on the first start, in the data folder. Keys in the
 * environment take precedence.
 */
export function readSecrets({
  dataDir,
  keys,
  production,
}: Pick<Environment, "dataDir" | "keys" | "production">): Secrets {
  const path = join(dataDir, "secrets.json");
  const stored = existsSync(path) ? readSecretsFile(path) : createSecretsFile(dataDir, path);
  const secrets = {
    seal: Buffer.from(stored.seal, "base64"),
    appId: keys.app ?? stored.appId,
    clientKey: keys.client ?? stored.clientKey,
    serverKey: keys.server ?? stored.serverKey,
    searchKey: keys.search ?? stored.searchKey,
    demoPassword: production ? stored.demoPassword : DEMO_PASSWORD,
    push: stored.push ?? addPushKeys(path, stored),
  };
  const { clientKey, serverKey, searchKey } = secrets;
  redactInLogs([clientKey, serverKey, searchKey, stored.seal, stored.demoPassword, secrets.push.privateKey]);
  return secrets;
}

/** Damaged secrets are never overwritten: two-factor secrets and API keys would be lost. */
function readSecretsFile(path: string): z.output<typeof SecretsFile> {
  try {
    return SecretsFile.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw new EnvironmentError(
      "KITH_DATA",
      `contains a file ${path} that cannot be read. Restore it from a backup, or remove it to create new keys.`,
    );
  }
}

function addPushKeys(path: string, stored: z.output<typeof SecretsFile>) {
  const push = createPushKeys();
  writeSecretsFile(path, { ...stored, push });
  return push;
}

function createSecretsFile(dataDir: string, path: string): z.output<typeof SecretsFile> {
  const made = {
    seal: randomBytes(32).toString("base64"),
    appId: createKey(),
    clientKey: createKey(),
    serverKey: createKey(),
    searchKey: createKey(),
    demoPassword: randomBytes(12).toString("base64url"),
    push: createPushKeys(),
  };
  try {
    createFolder(dataDir);
    writeSecretsFile(path, made);
  } catch (error) {
    throw new EnvironmentError("KITH_DATA", `names ${dataDir}, which is not writable (${errorCode(error)}).`);
  }
  return made;
}

/**
 * Creates each folder separately: Node's recursive mkdir never returns where a folder cannot be created
 * (below /proc).
 */
function createFolder(path: string) {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function writeSecretsFile(path: string, made: z.output<typeof SecretsFile>) {
  // The secrets are written to a second file, which is then renamed: a file half written to a full disk would
  // lock everybody out.
  writeFileSync(`${path}.new`, JSON.stringify(made, null, 2), { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}
