import { createVerify, generateKeyPairSync, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { createGoogleClient } from "#platform/google";
import { FCM_SCOPE, createApnsClient, createFcmClient } from "#platform/mobile-push";

/**
 * Stand-ins for push services on this machine: they speak HTTP/2 and check requests as Apple and Google do.
 */

/** A service's reply for one token: `hang` sends no reply, `break` breaks the connection in the middle. */
export type ServiceReply =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | "hang"
  | "break"
  | "refuse";
export type ReceivedPush = { token: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };

type PushServiceOptions = {
  path: string;
  read: (path: string, body: Record<string, unknown>) => string;
  check: (headers: IncomingHttpHeaders) => ServiceReply | null;
};

async function startPushService({ path, read, check }: PushServiceOptions) {
  const pushes: ReceivedPush[] = [];
  const answers = new Map<string, (nth: number) => ServiceReply | Promise<ServiceReply>>();
  const lines = new Set<{ destroy: () => void; closed: boolean }>();
  // Apple's service also allows few streams at first; further requests wait.
  const server: Http2Server = createServer({ settings: { maxConcurrentStreams: 2 } });
  server.on("session", (session) => {
    lines.add(session);
    session.on("error", () => {});
  });
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    const parts: Buffer[] = [];
    stream.on("error", () => {});
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("end", () => void take(stream, headers, Buffer.concat(parts)));
  });

  async function take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, bytes: Buffer) {
    // The connection broke before any data arrived.
    if (bytes.length === 0) return;
    const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const at = String(headers[":path"]);
    const fault =
      headers[":method"] === "POST" && at.startsWith(path)
        ? check(headers)
        : { status: 404, body: { reason: "BadPath" } };
    const token = read(at, body);
    if (fault === null) pushes.push({ token, headers, body });
    const nth = pushes.filter((it) => it.token === token).length;
    const answer = fault ?? (await answers.get(token)?.(nth)) ?? { status: 200, body: {} };
    if (answer === "hang") return;
    if (answer === "break") return stream.session!.destroy();
    if (answer === "refuse") return stream.close(7);
    stream.respond({ ":status": answer.status, ...answer.headers });
    stream.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Valid requests in the order of arrival. */
    got: pushes,
    /**
     * Sets the reply for a token; a function gets the number of the request for that token. The default is
     * success.
     */
    setReply: (
      token: string,
      answer: ServiceReply | ((nth: number) => ServiceReply | Promise<ServiceReply>),
    ) => answers.set(token, typeof answer === "function" ? answer : () => answer),
    forget: () => (pushes.splice(0), answers.clear()),
    forgetAnswers: () => answers.clear(),
    lines: () => lines.size,
    close: async () => {
      for (const line of lines) line.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

export const TOPIC = "org.example.garden";
export const TEAM = { keyId: "KEY1234567", teamId: "TEAM123456" };

/** Starts a stand-in for Apple's service. `now` is its clock. */
export async function startTestApns(now: () => Date) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const proofs = new Set<string>();
  const refused = (reason: string): ServiceReply => ({ status: 403, body: { reason } });
  const check = (headers: IncomingHttpHeaders): ServiceReply | null => {
    const proof = String(headers["authorization"]).replace(/^bearer /, "");
    const [head = "", claims = "", signature = ""] = proof.split(".");
    const key = { key: publicKey, dsaEncoding: "ieee-p1363" as const };
    if (!verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url")))
      return refused("InvalidProviderToken");
    const decode = (part: string) =>
      JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
    const { alg, kid } = decode(head);
    const { iss, iat } = decode(claims);
    if (alg !== "ES256" || kid !== TEAM.keyId || iss !== TEAM.teamId) return refused("InvalidProviderToken");
    if (Math.abs(now().getTime() / 1_000 - Number(iat)) > 3_600) return refused("ExpiredProviderToken");
    proofs.add(proof);
    if (headers["apns-topic"] !== TOPIC) return { status: 400, body: { reason: "BadTopic" } };
    if (headers["apns-push-type"] === "background" && headers["apns-priority"] !== "5")
      return { status: 400, body: { reason: "BadPriority" } };
    return null;
  };
  const app = await startPushService({
    path: "/3/device/",
    read: (path) => decodeURIComponent(path.slice("/3/device/".length)),
    check,
  });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  return {
    ...app,
    proofs,
    pem,
    way: (ours = now) =>
      createApnsClient({ origin: app.origin, key: privateKey, ...TEAM, topic: TOPIC, now: ours }),
  };
}

const ACCOUNT = "push@garden.iam.gserviceaccount.com";

/** Starts a stand-in for Google's service, which issues access tokens as well. */
export async function startTestFcm(now: () => Date) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const tokens = new Set<string>();
  /** Issues an access token for an assertion signed by the account (RFC 7523). */
  const fetchToken: typeof fetch = async (input, init) => {
    const form = new URLSearchParams(String(init?.body));
    const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
    const isOurs = createVerify("RSA-SHA256")
      .update(`${head}.${claims}`)
      .verify(publicKey, signature, "base64url");
    const { iss, scope } = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
    if (
      !isOurs ||
      iss !== ACCOUNT ||
      scope !== FCM_SCOPE ||
      !String(input instanceof Request ? input.url : input).startsWith("https://oauth2.googleapis.com/")
    )
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    const access_token = `token-${tokens.size + 1}`;
    tokens.add(access_token);
    return Response.json({ access_token, expires_in: 3_599, token_type: "Bearer" });
  };
  const app = await startPushService({
    path: "/v1/projects/garden/messages:send",
    read: (_path, body) => (body["message"] as { token: string }).token,
    check: (headers) =>
      tokens.has(String(headers["authorization"]).replace(/^Bearer /, ""))
        ? null
        : { status: 401, body: { error: { status: "UNAUTHENTICATED" } } },
  });
  const account = {
    type: "service_account" as const,
    client_email: ACCOUNT,
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    project_id: "garden",
  };
  const google = createGoogleClient(account, { scope: FCM_SCOPE, fetch: fetchToken });
  return { ...app, tokens, way: () => createFcmClient({ origin: app.origin, google, now }) };
}

/** Creates an error reply of Google. */
export const fcmErrorReply = (status: number, word: string, details: object[] = []) => ({
  status,
  body: { error: { code: status, message: "A sentence with a token in it.", status: word, details } },
});
export const fcmErrorDetail = (errorCode: string) => ({
  "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
  errorCode,
});
