import type { GoogleClient } from "#platform/google";
import { z } from "zod";
import { type Http2Response, Http2Connection, Http2Error } from "./http2-connection.ts";
import { type PushOutcome, toSafeReason, parseRetryAfter } from "./push-outcome.ts";

/**
 * A message in Firebase's format, without its recipient:
 * https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
 */
export type FcmMessage = {
  data: Record<string, string>;
  notification?: { title?: string; body?: string };
  android: {
    priority: "HIGH" | "NORMAL";
    ttl: string;
    collapse_key?: string;
    notification?: Record<string, string>;
  };
};
export type FcmClient = {
  send: (token: string, note: FcmMessage) => Promise<PushOutcome>;
  close: () => void;
};

export const FCM_SCOPE = "https://www.googleapis.com/auth/firebase.messaging";

const Violations = z.array(z.object({ field: z.string() }).loose());
const Detail = z.object({ errorCode: z.string().optional(), fieldViolations: Violations.optional() }).loose();
const FcmError = z.object({
  error: z.object({ status: z.string().optional(), details: z.array(Detail).optional() }).loose(),
});

type FcmOptions = { origin: string; google: Pick<GoogleClient, "projectId" | "token">; now: () => Date };

/**
 * Creates a client for Firebase Cloud Messaging with one HTTP/2 connection, authorised as a service account.
 * Throws when the key file names no project.
 */
export function createFcmClient({ origin, google, now }: FcmOptions): FcmClient {
  if (google.projectId === null) throw new Error("no project is named");
  const line = new Http2Connection(origin);
  const path = `/v1/projects/${encodeURIComponent(google.projectId)}/messages:send`;
  return {
    async send(token, note) {
      const proof = await google.token().catch(() => null);
      // The library's error is not passed on: it holds the request, including the signature by our key.
      if (proof === null) return { kind: "later", reason: "NoTokenForServiceAccount", after: null };
      const headers = { authorization: `Bearer ${proof}`, "content-type": "application/json" };
      try {
        return toOutcome(
          await line.post({ path, headers, body: JSON.stringify({ message: { token, ...note } }) }),
          now(),
        );
      } catch (error) {
        if (!(error instanceof Http2Error)) throw error;
        return error.taken
          ? { kind: "unknown", reason: "NoAnswer" }
          : { kind: "later", reason: "NobodyThere", after: null };
      }
    },
    close: () => line.close(),
  };
}

function toOutcome({ status, headers, body }: Http2Response, now: Date): PushOutcome {
  if (status >= 200 && status < 300) return { kind: "sent" };
  const { status: word, details = [] } = FcmError.safeParse(body).data?.error ?? {};
  const code = details.find(({ errorCode }) => errorCode !== undefined)?.errorCode;
  const reason = toSafeReason(code ?? word, `Status${status}`);
  const isTokenAtFault = details.some(({ fieldViolations }) =>
    fieldViolations?.some(({ field }) => field === "message.token"),
  );
  // A token of another project never becomes valid for our project.
  if (code === "UNREGISTERED" || code === "SENDER_ID_MISMATCH" || isTokenAtFault)
    return { kind: "gone", reason, since: null };
  if (status === 429 || status >= 500)
    return { kind: "later", reason, after: parseRetryAfter(headers["retry-after"], now) };
  return { kind: "refused", reason };
}
