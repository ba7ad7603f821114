import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { EnvironmentError, readEnvironment } from "#platform/environment";
import { createLog } from "#platform/log";
import { testDatabase } from "../../test/support/setup/test-database.ts";
import { closePushProviders, createDevicePush } from "./push-providers.ts";
import { readSecrets } from "./secrets.ts";

const database = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "kith-providers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const pem = (type: "ec" | "rsa") =>
  (type === "ec"
    ? generateKeyPairSync("ec", { namedCurve: "prime256v1" })
    : generateKeyPairSync("rsa", { modulusLength: 2048 })
  ).privateKey.export({ type: "pkcs8", format: "pem" });
const APPLE = { APNS_KEY_ID: "KEY1234567", APNS_TEAM_ID: "TEAM123456", APNS_TOPIC: "org.example.garden" };
const open = (variables: Record<string, string>) =>
  createDevicePush(
    { database, log: createLog("silent"), origin: () => "http://localhost:3000" },
    { environment: readEnvironment(variables), secrets: readSecrets(readEnvironment({ KITH_DATA: folder })) },
  );

test("push provider for browsers always exists; a provider for devices only if it is configured", () => {
  const bare = open({}).providers;
  expect([bare.apns, bare.fcm, typeof bare.web.send]).toEqual([null, null, "function"]);
  const account = {
    type: "service_account",
    client_email: "push@garden.example",
    private_key: pem("rsa"),
    project_id: "garden",
  };
  const devices = open({
    ...APPLE,
    APNS_KEY: file("key.p8", pem("ec")),
    FCM_CREDENTIALS: file("account.json", JSON.stringify(account)),
  });
  expect([devices.providers.apns, devices.providers.fcm]).toEqual([expect.anything(), expect.anything()]);
  closePushProviders(devices);
});

test.each([
  ["APNS_KEY", { ...APPLE, APNS_KEY: join(folder, "none.p8") }],
  ["APNS_KEY", { ...APPLE, APNS_KEY: file("rsa.p8", pem("rsa")) }],
  ["FCM_CREDENTIALS", { FCM_CREDENTIALS: file("empty.json", "{}") }],
  [
    "FCM_CREDENTIALS",
    {
      FCM_CREDENTIALS: file(
        "no-project.json",
        JSON.stringify({ type: "service_account", client_email: "a@b.c", private_key: pem("rsa") }),
      ),
    },
  ],
])("unusable key file in %s is reported in one sentence", (variable, variables) => {
  expect(() => open(variables)).toThrow(EnvironmentError);
  expect(() => open(variables)).toThrow(new RegExp(`^${variable}: cannot be used: .+\\.$`));
});
