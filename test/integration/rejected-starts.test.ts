import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runServer } from "../support/processes/server-process.ts";
import { findFreePort } from "../support/setup/free-port.ts";

const folder = mkdtempSync(join(tmpdir(), "kith-refused-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const noKey = join(folder, "no-key.json");
writeFileSync(noKey, "{}");

const ADMIN = { KITH_ADMIN_EMAIL: "walnut@example.org", KITH_SEED: "empty" };
const APPLE = { APNS_KEY: noKey, APNS_KEY_ID: "1", APNS_TEAM_ID: "2", APNS_TOPIC: "org.example.kith" };
const TOWN = { OIDC_TOWN_ISSUER: "https://id.example.org", OIDC_TOWN_CLIENT_ID: "kith" };

/** Starts a server on an empty data folder; returns its output, its exit code and the files it left. */
async function start(env: Record<string, string>) {
  const data = mkdtempSync(join(folder, "data-"));
  const server = await runServer(data, { PORT: String(await findFreePort()), ...env });
  const code = await server.ended;
  return {
    code,
    output: server.said().trim(),
    left: readdirSync(data).filter((name) => name !== "secrets.json"),
  };
}

describe("start with an invalid value", () => {
  test.each([
    [
      { ...ADMIN, KITH_ADMIN_PASSWORD: "correct horse" },
      "KITH_ADMIN_PASSWORD must have at least 15 characters.",
    ],
    [
      { ...ADMIN, KITH_ADMIN_PASSWORD: "aaaaaaaaaaaaaaaaaaaa" },
      "KITH_ADMIN_PASSWORD cannot be used: At least 6 different characters.",
    ],
    [
      { ...ADMIN, KITH_ADMIN_PASSWORD: "Walnut and other trees" },
      "KITH_ADMIN_PASSWORD cannot be used: The password cannot contain your name or email address.",
    ],
    [{ GOOGLE_CREDENTIALS: noKey }, /^GOOGLE_CREDENTIALS cannot be used: .+\.$/],
    [{ FCM_CREDENTIALS: "/nowhere/key.json" }, /^FCM_CREDENTIALS cannot be used: .+\.$/],
    [APPLE, /^APNS_KEY cannot be used: .+\.$/],
    [{ REDIS_URL: "redis://127.0.0.1:1" }, /^REDIS_URL names a Redis that cannot be used .+\.$/],
    [{ KITH_TRUST_PROXY: "nginx" }, /^KITH_TRUST_PROXY must be a number of proxies/],
    [TOWN, "OIDC_TOWN_CLIENT_SECRET must be set when OIDC_TOWN_ISSUER is."],
  ])("exits with 78 and a one-sentence error for %j, before opening a database", async (env, sentence) => {
    const { code, output, left } = await start(env);
    expect(output).toMatch(sentence);
    expect(output.split("\n")).toHaveLength(1);
    expect({ code, left }).toEqual({ code: 78, left: [] });
  });

  test("also reports unknown variables", async () => {
    const { output } = await start({
      OIDC_MY_CORP_ISSUER: "https://id.example.org",
      KITH_SEDE: "empty",
      GOOGLE_CREDENTIALS: noKey,
    });
    expect(output.split("\n")).toEqual([
      "KITH_SEDE is not a variable of Kith and has no effect.",
      "OIDC_MY_CORP_ISSUER has no effect: a provider's name can have capitals and digits only, as in " +
        "OIDC_MYCORP_ISSUER.",
      expect.stringContaining("GOOGLE_CREDENTIALS cannot be used"),
    ]);
  });
});
