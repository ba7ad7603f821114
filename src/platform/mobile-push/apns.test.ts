import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { addMilliseconds, MINUTE } from "#platform/clock";
import { type ServiceReply, startTestApns, TOPIC } from "../../../test/support/push-services.ts";
import { type ApnsClient, type ApnsNotification, createApnsClient, readApnsKey } from "./index.ts";
import { Http2Connection } from "./http2-connection.ts";

let at = new Date("2026-05-04T10:00:00Z");
const now = () => at;
const NOTE: ApnsNotification = {
  payload: { aps: { alert: { body: "Frost" } } },
  pushType: "alert",
  expiresAt: new Date("2026-05-05T10:00:00.500Z"),
  collapseId: "frost",
};

describe("push to Apple devices", () => {
  let apple: Awaited<ReturnType<typeof startTestApns>>;
  let apns: ApnsClient;
  beforeAll(async () => {
    apple = await startTestApns(now);
  });
  afterEach(() => void vi.useRealTimers());
  beforeEach(() => {
    at = new Date("2026-05-04T10:00:00Z");
    apple.forget();
    apple.proofs.clear();
    apns?.close();
    apns = apple.way();
  });
  afterAll(async () => {
    apns.close();
    await apple.close();
  });

  test("sends over one connection with provider token and Apple's headers", async () => {
    const before = apple.lines();
    const outcomes = await Promise.all(["a1", "b2", "c3"].map((token) => apns.send(token, NOTE)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(["sent", "sent", "sent"]);
    expect(apple.lines() - before).toBe(1);
    expect(apple.got.map(({ token }) => token).toSorted()).toEqual(["a1", "b2", "c3"]);
    expect(apple.got[0]!.body).toEqual(NOTE.payload);
    expect(apple.got[0]!.headers).toMatchObject({
      ":path": "/3/device/a1",
      "apns-topic": TOPIC,
      "apns-push-type": "alert",
      "apns-priority": "10",
      "apns-expiration": String(Date.parse("2026-05-05T10:00:00Z") / 1_000),
      "apns-collapse-id": "frost",
    });
  });

  test("sends background pushes with low priority", async () => {
    expect(await apns.send("a1", { ...NOTE, pushType: "background" })).toEqual({ kind: "sent" });
    expect(apple.got[0]!.headers["apns-priority"]).toBe("5");
  });

  test("reuses the provider token for fifty minutes", async () => {
    await apns.send("a1", NOTE);
    at = addMilliseconds(at, 49 * MINUTE);
    await apns.send("a1", NOTE);
    expect(apple.proofs.size).toBe(1);
    at = addMilliseconds(at, MINUTE);
    await apns.send("a1", NOTE);
    expect(apple.proofs.size).toBe(2);
    let ours = at;
    const behind = apple.way(() => ours);
    await behind.send("a1", NOTE);
    at = addMilliseconds(at, 2 * 60 * MINUTE);
    ours = addMilliseconds(ours, 30 * MINUTE);
    // Apple rejects the new token too, so it is not renewed again.
    expect(await behind.send("a1", NOTE)).toEqual({ kind: "refused", reason: "ExpiredProviderToken" });
    at = addMilliseconds(at, -90 * MINUTE);
    expect(await behind.send("a1", NOTE)).toEqual({ kind: "sent" });
    behind.close();
  });

  test.each<[string, ServiceReply, object]>([
    [
      "an invalid token",
      { status: 400, body: { reason: "BadDeviceToken" } },
      { kind: "gone", reason: "BadDeviceToken", since: null },
    ],
    [
      "a token of another app",
      { status: 400, body: { reason: "DeviceTokenNotForTopic" } },
      { kind: "gone", reason: "DeviceTokenNotForTopic", since: null },
    ],
    [
      "an unregistered device",
      { status: 410, body: { reason: "Unregistered", timestamp: 1_700_000_000_000 } },
      { kind: "gone", reason: "Unregistered", since: new Date(1_700_000_000_000) },
    ],
    [
      "too many requests",
      { status: 429, body: { reason: "TooManyRequests" } },
      { kind: "later", reason: "TooManyRequests", after: null },
    ],
    [
      "an outage",
      { status: 503, body: { reason: "ServiceUnavailable" }, headers: { "retry-after": "90" } },
      { kind: "later", reason: "ServiceUnavailable", after: 90 },
    ],
    [
      "an outage with a time for the retry",
      { status: 500, headers: { "retry-after": "Mon, 04 May 2026 10:01:00 GMT" } },
      { kind: "later", reason: "Status500", after: 60 },
    ],
    [
      "a message that is too long",
      { status: 413, body: { reason: "PayloadTooLarge" } },
      { kind: "refused", reason: "PayloadTooLarge" },
    ],
    [
      "an error text that may contain the token",
      { status: 400, body: { reason: "No such token: a1" } },
      { kind: "refused", reason: "Status400" },
    ],
    [
      "a response that is not JSON",
      { status: 400, body: "x".repeat(50_000) },
      { kind: "refused", reason: "Status400" },
    ],
    ["a refused stream", "refuse", { kind: "later", reason: "NobodyThere", after: null }],
    ["a broken connection", "break", { kind: "unknown", reason: "NoAnswer" }],
  ])("reports the outcome of %s", async (_what, answer, outcome) => {
    apple.setReply("a1", answer);
    expect(await apns.send("a1", NOTE)).toEqual(outcome);
    // After any failure the next push succeeds.
    expect(await apns.send("b2", NOTE)).toEqual({ kind: "sent" });
  });

  test("retries when Apple's service is unreachable", async () => {
    const nowhere = await startTestApns(now);
    const way = nowhere.way();
    await nowhere.close();
    expect(await way.send("a1", NOTE)).toEqual({ kind: "later", reason: "NobodyThere", after: null });
  });

  test("reports an unknown outcome when no response arrives", async () => {
    apple.setReply("a1", "hang");
    const line = new Http2Connection(apple.origin, 1_000);
    const asking = { path: "/3/device/a1", headers: await headersOf(), body: "{}" };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = expect(line.post(asking)).rejects.toMatchObject({ name: "LineFault", taken: true });
    await expect.poll(() => apple.got.at(-1)!.token).toBe("a1");
    await vi.advanceTimersByTimeAsync(1_000);
    await answer;
    line.close();
  });

  /** Headers of our own client. */
  async function headersOf() {
    await apns.send("b2", NOTE);
    return Object.fromEntries(
      Object.entries(apple.got[0]!.headers).flatMap(([name, value]) =>
        name[0] === ":" ? [] : [[name, String(value)]],
      ),
    );
  }

  test("escapes the device token in the request path", async () => {
    expect(await apns.send("../../x?y#z", NOTE)).toEqual({ kind: "sent" });
    expect(apple.got[0]!.token).toBe("../../x?y#z");
  });

  test("reports a key that Apple rejects", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const other = createApnsClient({
      origin: apple.origin,
      key: privateKey,
      keyId: "KEY1234567",
      teamId: "TEAM123456",
      topic: TOPIC,
      now,
    });
    expect(await other.send("a1", NOTE)).toEqual({ kind: "refused", reason: "InvalidProviderToken" });
    other.close();
    const folder = mkdtempSync(join(tmpdir(), "kith-apns-"));
    const file = join(folder, "key.p8");
    writeFileSync(file, apple.pem);
    expect(readApnsKey(file).asymmetricKeyType).toBe("ec");
    writeFileSync(
      file,
      generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }),
    );
    expect(() => readApnsKey(file)).toThrow("not a push key issued by Apple");
    rmSync(folder, { recursive: true });
  });
});
