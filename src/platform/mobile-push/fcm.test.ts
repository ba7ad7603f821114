import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type ServiceReply,
  fcmErrorDetail,
  fcmErrorReply,
  startTestFcm,
} from "../../../test/support/push-services.ts";
import { type FcmClient, type FcmMessage, createFcmClient } from "./index.ts";

let at = new Date("2026-05-04T10:00:00Z");
const now = () => at;
const MESSAGE: FcmMessage = {
  data: { a: "1" },
  notification: { body: "Frost" },
  android: { priority: "HIGH", ttl: "86400s" },
};

describe("push to Android devices", () => {
  let firebase: Awaited<ReturnType<typeof startTestFcm>>;
  let fcm: FcmClient;
  beforeAll(async () => {
    firebase = await startTestFcm(now);
    fcm = firebase.way();
  });
  beforeEach(() => firebase.forget());
  afterAll(async () => {
    fcm.close();
    await firebase.close();
  });

  test("sends over one connection as the service account, with one access token", async () => {
    expect(await fcm.send("first", MESSAGE)).toEqual({ kind: "sent" });
    const outcomes = await Promise.all(["second", "third"].map((token) => fcm.send(token, MESSAGE)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(["sent", "sent"]);
    expect([firebase.lines(), firebase.tokens.size]).toEqual([1, 1]);
    expect(firebase.got[0]!.headers).toMatchObject({
      ":path": "/v1/projects/garden/messages:send",
      authorization: "Bearer token-1",
      "content-type": "application/json",
    });
    expect(firebase.got[0]!.body).toEqual({ message: { token: "first", ...MESSAGE } });
  });

  const badToken = [
    { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field: "message.token" }] },
    fcmErrorDetail("INVALID_ARGUMENT"),
  ];
  test.each<[string, ServiceReply, object]>([
    [
      "an unregistered device",
      fcmErrorReply(404, "NOT_FOUND", [fcmErrorDetail("UNREGISTERED")]),
      { kind: "gone", reason: "UNREGISTERED", since: null },
    ],
    [
      "an invalid token",
      fcmErrorReply(400, "INVALID_ARGUMENT", badToken),
      { kind: "gone", reason: "INVALID_ARGUMENT", since: null },
    ],
    [
      "a token of another project",
      fcmErrorReply(403, "PERMISSION_DENIED", [fcmErrorDetail("SENDER_ID_MISMATCH")]),
      { kind: "gone", reason: "SENDER_ID_MISMATCH", since: null },
    ],
    [
      "an invalid message",
      fcmErrorReply(400, "INVALID_ARGUMENT", [fcmErrorDetail("INVALID_ARGUMENT")]),
      { kind: "refused", reason: "INVALID_ARGUMENT" },
    ],
    [
      "an account without permission",
      fcmErrorReply(403, "PERMISSION_DENIED"),
      { kind: "refused", reason: "PERMISSION_DENIED" },
    ],
    [
      "too many requests",
      {
        ...fcmErrorReply(429, "RESOURCE_EXHAUSTED", [fcmErrorDetail("QUOTA_EXCEEDED")]),
        headers: { "retry-after": "60" },
      },
      { kind: "later", reason: "QUOTA_EXCEEDED", after: 60 },
    ],
    [
      "an outage",
      fcmErrorReply(503, "UNAVAILABLE", [fcmErrorDetail("UNAVAILABLE")]),
      { kind: "later", reason: "UNAVAILABLE", after: null },
    ],
    ["a broken connection", "break", { kind: "unknown", reason: "NoAnswer" }],
  ])("reports the outcome of %s", async (_what, answer, outcome) => {
    firebase.setReply("phone", answer);
    expect(await fcm.send("phone", MESSAGE)).toEqual(outcome);
    expect(JSON.stringify(outcome)).not.toContain("sentence");
    expect(await fcm.send("other", MESSAGE)).toEqual({ kind: "sent" });
  });

  test("retries when Google issues no access token", async () => {
    const token = () => Promise.reject(new Error("no"));
    const way = createFcmClient({ origin: firebase.origin, google: { projectId: "garden", token }, now });
    expect(await way.send("phone", MESSAGE)).toEqual({
      kind: "later",
      reason: "NoTokenForServiceAccount",
      after: null,
    });
    expect(() =>
      createFcmClient({ origin: firebase.origin, google: { projectId: null, token }, now }),
    ).toThrow("no project is named");
  });
});
