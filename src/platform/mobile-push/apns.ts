import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Http2Response, Http2Connection, Http2Error } from "./http2-connection.ts";
import { type PushOutcome, toSafeReason, parseRetryAfter } from "./push-outcome.ts";

/** A notification in Apple's format, with its headers. */
export type ApnsNotification = {
  payload: object;
  /** "alert" is shown or makes a sound; "background" only wakes the app. */
  pushType: "alert" | "background";
  expiresAt: Date;
  /** Id of at most 64 bytes. A notification replaces an earlier one with the same id. */
  collapseId: string;
};
export type ApnsClient = {
  send: (token: string, note: ApnsNotification) => Promise<PushOutcome>;
  close: () => void;
};

export type ApnsOptions = {
  origin: string;
  key: KeyObject;
  keyId: string;
  teamId: string;
  topic: string;
  now: () => Date;
};

/**
 * Milliseconds for which a token is used. Apple requires a new token every hour, and accepts at most one in
 * twenty minutes.
 */
const TOKEN_LIFETIME = 50 * 60_000;
const ApnsError = z.object({ reason: z.string().optional(), timestamp: z.number().optional() });
/**
 * Apple's reasons which mean that a device token is invalid or belongs to another app:
 * https://developer.apple.com/documentation/usernotifications
 */
const DEAD_TOKEN_REASONS = new Set([
  "BadDeviceToken",
  "DeviceTokenNotForTopic",
  "Unregistered",
  "ExpiredToken",
]);

/** Reads the signing key of a developer account (`.p8`); throws with a sentence when it is invalid. */
export function readApnsKey(path: string): KeyObject {
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1")
    throw new Error("not a push key issued by Apple");
  return key;
}

/** Creates a client for Apple's push service: one HTTP/2 connection, with a token that we sign (ES256). */
export function createApnsClient(options: ApnsOptions): ApnsClient {
  const line = new Http2Connection(options.origin);
  const proof = new ProviderToken(options);
  const post = (token: string, note: ApnsNotification) =>
    line.post({
      path: `/3/device/${encodeURIComponent(token)}`,
      headers: {
        ...createHeaders(note),
        authorization: `bearer ${proof.current()}`,
        "apns-topic": options.topic,
      },
      body: JSON.stringify(note.payload),
    });
  return {
    async send(token, note) {
      try {
        const answer = await post(token, note);
        // Our clock may be behind Apple's: retries once with a new token.
        return toOutcome(
          isTokenExpired(answer) && proof.renew() ? await post(token, note) : answer,
          options.now(),
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

const createHeaders = ({ pushType, expiresAt, collapseId }: ApnsNotification): Record<string, string> => ({
  "content-type": "application/json",
  "apns-push-type": pushType,
  // Apple rejects background pushes with high priority.
  "apns-priority": pushType === "alert" ? "10" : "5",
  "apns-expiration": String(Math.floor(expiresAt.getTime() / 1_000)),
  "apns-collapse-id": collapseId,
});

const parseApnsError = ({ body }: Http2Response) => ApnsError.safeParse(body).data ?? {};
const isTokenExpired = (answer: Http2Response) =>
  answer.status === 403 && parseApnsError(answer).reason === "ExpiredProviderToken";

function toOutcome(answer: Http2Response, now: Date): PushOutcome {
  const { status, headers } = answer;
  if (status === 200) return { kind: "sent" };
  const { reason: errorReason, timestamp } = parseApnsError(answer);
  const reason = toSafeReason(errorReason, `Status${status}`);
  if (status === 410 || DEAD_TOKEN_REASONS.has(reason))
    return { kind: "gone", reason, since: timestamp === undefined ? null : new Date(timestamp) };
  if (status === 429 || status >= 500 || reason === "IdleTimeout")
    return { kind: "later", reason, after: parseRetryAfter(headers["retry-after"], now) };
  return { kind: "refused", reason };
}

/** The provider token that we sign. A class, because it caches the token. */
class ProviderToken {
  readonly #options: ApnsOptions;
  #token = "";
  #at = -Infinity;

  constructor(options: ApnsOptions) {
    this.#options = options;
  }

  current(): string {
    const now = this.#options.now().getTime();
    if (now - this.#at >= TOKEN_LIFETIME) this.#sign(now);
    return this.#token;
  }

  /** Signs a new token unless one was signed a moment ago; returns whether it signed one. */
  renew(): boolean {
    const now = this.#options.now().getTime();
    if (now - this.#at < 20 * 60_000) return false;
    this.#sign(now);
    return true;
  }

  #sign(now: number) {
    const { key, keyId, teamId } = this.#options;
    const part = (it: object) => Buffer.from(JSON.stringify(it)).toString("base64url");
    const unsigned = `${part({ alg: "ES256", kid: keyId })}.${part({ iss: teamId, iat: Math.floor(now / 1_000) })}`;
    const signature = sign("sha256", Buffer.from(unsigned), { key, dsaEncoding: "ieee-p1363" });
    this.#token = `${unsigned}.${signature.toString("base64url")}`;
    this.#at = now;
  }
}
