import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEMO_PASSWORD, readSecrets } from "./secrets.ts";

describe("readSecrets", () => {
  let dataDir: string;
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), "kith-secrets-"))));
  afterEach(() => rmSync(dataDir, { recursive: true }));
  const none = { app: undefined, client: undefined, server: undefined, search: undefined };
  const read = (production = true, keys: Parameters<typeof readSecrets>[0]["keys"] = none) =>
    readSecrets({ dataDir, keys, production });

  test("creates secrets once, in a file that only the owner can read", () => {
    const first = read();
    expect(read()).toEqual(first);
    expect(first.seal).toHaveLength(32);
    expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(new Set(Object.values(first).map((it) => JSON.stringify(it))).size).toBe(7);
  });

  test("adds push keys to an older file once, without changing its other secrets", () => {
    const first = read();
    const path = join(dataDir, "secrets.json");
    const { push: _, ...before } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify(before));
    const second = read();
    expect({ ...second, push: first.push }).toEqual(first);
    expect(read()).toEqual(second);
    expect(Buffer.from(second.push.privateKey, "base64url")).toHaveLength(32);
    expect(Buffer.from(second.push.publicKey, "base64url")).toHaveLength(65);
  });

  test("prefers keys from the environment", () => {
    expect(read(true, { ...none, client: "A-KEY-OF-OUR-OWN-CHOICE" }).clientKey).toBe(
      "A-KEY-OF-OUR-OWN-CHOICE",
    );
  });

  test("creates a random demo password in production", () => {
    expect(read(false).demoPassword).toBe(DEMO_PASSWORD);
    expect(read(true).demoPassword).not.toBe(DEMO_PASSWORD);
  });

  test("refuses a damaged file without overwriting it", () => {
    writeFileSync(join(dataDir, "secrets.json"), "{}");
    expect(() => read()).toThrow();
    expect(readFileSync(join(dataDir, "secrets.json"), "utf8")).toBe("{}");
  });
});
