import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Answer, Line, LineFault } from "./line.ts";
import { type Outcome, reasonIn, secondsIn } from "./outcome.ts";

/** A notification in Apple's format, with its headers. */
export type AppleNote = {
  payload: object;
  /** "alert" shows or sounds; "background" only wakes the app. */
  pushType: "alert" | "background";
  expiresAt: Date;
  /** A notification replaces an earlier one with the same id; at most 64 bytes. */
  collapseId: string;
};
export type Apns = { send: (token: string, note: AppleNote) => Promise<Outcome>; close: () => void };

export type ApnsOptions = { origin: string; key: KeyObject; keyId: string; teamId: string; topic: string; now: () => Date };

/** Apple wants a new token every hour, and at most one in twenty minutes. */
const RENEWED_AFTER = 50 * 60_000;
const Said = z.object({ reason: z.string().optional(), timestamp: z.number().optional() });
/**
 * The device token is invalid or belongs to another app:
 * https://developer.apple.com/documentation/usernotifications
 */
const GONE = new Set(["BadDeviceToken", "DeviceTokenNotForTopic", "Unregistered", "ExpiredToken"]);

/** Reads the signing key of a developer account (`.p8`); throws with a sentence when it is invalid. */
export function readApnsKey(path: string): KeyObject {
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1")
    throw new Error("it is not a key that Apple hands out for pushes");
  return key;
}

/** Opens a client for Apple's push service: one HTTP/2 connection, with a token that we sign (ES256). */
export function openApns(options: ApnsOptions): Apns {
  const line = new Line(options.origin);
  const proof = new Proof(options);
  const post = (token: string, note: AppleNote) =>
    line.post({
      path: `/3/device/${encodeURIComponent(token)}`,
      headers: { ...headersOf(note), authorization: `bearer ${proof.current()}`, "apns-topic": options.topic },
      body: JSON.stringify(note.payload),
    });
  return {
    async send(token, note) {
      try {
        const answer = await post(token, note);
        // Our clock may be behind Apple's: retry once with a new token.
        return outcomeOf(isExpired(answer) && proof.renew() ? await post(token, note) : answer, options.now());
      } catch (error) {
        if (!(error instanceof LineFault)) throw error;
        return error.taken ? { kind: "unknown", reason: "NoAnswer" } : { kind: "later", reason: "NobodyThere", after: null };
      }
    },
    close: () => line.close(),
  };
}

const headersOf = ({ pushType, expiresAt, collapseId }: AppleNote): Record<string, string> => ({
  "content-type": "application/json",
  "apns-push-type": pushType,
  // Apple rejects background pushes with high priority.
  "apns-priority": pushType === "alert" ? "10" : "5",
  "apns-expiration": String(Math.floor(expiresAt.getTime() / 1_000)),
  "apns-collapse-id": collapseId,
});

const saidIn = ({ body }: Answer) => Said.safeParse(body).data ?? {};
const isExpired = (answer: Answer) => answer.status === 403 && saidIn(answer).reason === "ExpiredProviderToken";

function outcomeOf(answer: Answer, now: Date): Outcome {
  const { status, headers } = answer;
  if (status === 200) return { kind: "sent" };
  const { reason: said, timestamp } = saidIn(answer);
  const reason = reasonIn(said, `Status${status}`);
  if (status === 410 || GONE.has(reason)) return { kind: "gone", reason, since: timestamp === undefined ? null : new Date(timestamp) };
  if (status === 429 || status >= 500 || reason === "IdleTimeout")
    return { kind: "later", reason, after: secondsIn(headers["retry-after"], now) };
  return { kind: "refused", reason };
}

/** Our signed provider token. A class, because it caches the token. */
class Proof {
  readonly #options: ApnsOptions;
  #token = "";
  #at = -Infinity;

  constructor(options: ApnsOptions) {
    this.#options = options;
  }

  current(): string {
    const now = this.#options.now().getTime();
    if (now - this.#at >= RENEWED_AFTER) this.#sign(now);
    return this.#token;
  }

  /** Signs a new token unless one was signed a moment ago; returns whether it did. */
  renew(): boolean {
    const now = this.#options.now().getTime();
    if (now - this.#at < 20 * 60_000) return false;
    this.#sign(now);
    return true;
  }

  #sign(now: number) {
    const { key, keyId, teamId } = this.#options;
    const part = (it: object) => Buffer.from(JSON.stringify(it)).toString("base64url");
    const said = `${part({ alg: "ES256", kid: keyId })}.${part({ iss: teamId, iat: Math.floor(now / 1_000) })}`;
    this.#token = `${said}.${sign("sha256", Buffer.from(said), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
    this.#at = now;
  }
}
