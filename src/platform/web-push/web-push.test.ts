import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import ece from "http_ece";
import { afterEach, describe, expect, test } from "vitest";
import { createFetcher } from "#platform/fetcher";
import { createWebPushClient } from "./index.ts";

/** A browser and its push service on this machine. */
const browser = createECDH("prime256v1");
browser.generateKeys();
const auth = randomBytes(16);
const own = createECDH("prime256v1");
own.generateKeys();
const keys = { publicKey: own.getPublicKey("base64url"), privateKey: own.getPrivateKey("base64url") };

let server: Server | undefined;
afterEach(() => new Promise<void>((closed) => (server ? server.close(() => closed()) : closed())));

type Got = { headers: IncomingMessage["headers"]; body: Buffer };

async function maker(status: number, headers: Record<string, string> = {}) {
  const received: Got[] = [];
  server = createServer((request, reply) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts) });
      reply.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((ready) => server!.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  // The test server runs on this machine, so one of its ports counts as public in this test.
  const fetcher = createFetcher({
    canConnect: (_address, to) => to === port,
    resolve: async () => ["127.0.0.1"],
  });
  const subscription = {
    endpoint: `http://push.example:${port}/abc`,
    publicKey: browser.getPublicKey("base64url"),
    auth: auth.toString("base64url"),
  };
  return {
    got: received,
    subscription,
    origin: `http://push.example:${port}`,
    push: createWebPushClient({ keys, contact: "mailto:kith@example.org", fetcher }),
  };
}

describe("web push message", () => {
  test("can be decrypted by its browser only, and is signed for the push service", async () => {
    const { got, push, subscription, origin } = await maker(201);
    expect(await push.send(subscription, { title: "Kith", body: "Grüße" }, "a-topic")).toBe("sent");
    const { headers, body } = got[0]!;
    const read = ece.decrypt(body, {
      version: "aes128gcm",
      privateKey: browser,
      authSecret: auth.toString("base64url"),
    });
    expect(JSON.parse(read.toString())).toEqual({ title: "Kith", body: "Grüße" });
    expect(body.toString("latin1")).not.toContain("Kith");
    expect(headers).toMatchObject({ ttl: "86400", topic: "a-topic", "content-encoding": "aes128gcm" });
    const { t, k } = /t=(?<t>[^,]+), ?k=(?<k>.+)$/.exec(headers.authorization!)!.groups as {
      t: string;
      k: string;
    };
    expect(k).toBe(keys.publicKey);
    const [head, claims, signature] = t.split(".");
    const point = own.getPublicKey();
    const key = createPublicKey({
      key: {
        kty: "EC",
        crv: "P-256",
        x: point.subarray(1, 33).toString("base64url"),
        y: point.subarray(33).toString("base64url"),
      },
      format: "jwk",
    });
    const isOurs = verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature!, "base64url"),
    );
    expect(isOurs).toBe(true);
    expect(JSON.parse(Buffer.from(claims!, "base64url").toString())).toMatchObject({
      aud: origin,
      sub: "mailto:kith@example.org",
    });
  });

  test.each([404, 410, 400, 401, 403])("reports that the browser has unsubscribed (%i)", async (status) => {
    const { push, subscription } = await maker(status);
    expect(await push.send(subscription, {}, "t")).toBe("gone");
  });

  test.each([
    [429, { "retry-after": "120" }, 120],
    [503, {}, null],
    [500, {}, null],
    [302, { location: "http://127.0.0.1/" }, null],
  ])("gets retried after a temporary error (%i)", async (status, headers, retryAfter) => {
    const { push, subscription } = await maker(status, headers);
    await expect(push.send(subscription, {}, "t")).rejects.toMatchObject({ name: "PushFault", retryAfter });
  });

  test("gets retried when the push service is unreachable", async () => {
    const { push, subscription } = await maker(201);
    await new Promise<void>((closed) => server!.close(() => closed()));
    server = undefined;
    const failed = await push.send(subscription, {}, "t").catch((error: unknown) => error as Error);
    expect(failed).toMatchObject({ name: "PushFault" });
    expect(JSON.stringify([String(failed), (failed as Error).stack])).not.toContain("push.example");
  });

  test.each([
    "http://127.0.0.1/",
    "https://169.254.169.254/latest",
    "https://[::1]/",
    "https://10.0.0.1/x",
    "ftp://example.org/",
    "nonsense",
  ])("does not reach the invalid endpoint %s", async (endpoint) => {
    const push = createWebPushClient({ keys, contact: "mailto:kith@example.org", fetcher: createFetcher() });
    const { publicKey, auth: secret } = {
      publicKey: browser.getPublicKey("base64url"),
      auth: auth.toString("base64url"),
    };
    expect(await push.send({ endpoint, publicKey, auth: secret }, {}, "t")).toBe("gone");
  });

  test("with invalid keys is not sent", async () => {
    const { push, subscription, got } = await maker(201);
    expect(await push.send({ ...subscription, publicKey: "nonsense" }, {}, "t")).toBe("gone");
    expect(await push.send({ ...subscription, auth: "" }, {}, "t")).toBe("gone");
    expect(got).toEqual([]);
  });
});
