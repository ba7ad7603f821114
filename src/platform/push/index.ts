import webpush from "web-push";
import { FetchFault, type Fetcher } from "#platform/fetcher";

/** A browser's push endpoint and the keys for its encryption. */
export type Subscription = { endpoint: string; publicKey: string; auth: string };
export type Outcome =
  | "sent"
  /** The browser is gone or never existed: never push to it again. */
  | "gone";

/** A push that failed for now. Its message names no address, which would identify a person. */
export class PushFault extends Error {
  override name = "PushFault";
  /** Seconds, when the push service says so. */
  readonly retryAfter: number | null;
  /** True when the push service rejected it; otherwise it may have arrived. */
  readonly answered: boolean;
  constructor(message: string, retryAfter: number | null = null, answered = false) {
    super(message);
    this.retryAfter = retryAfter;
    this.answered = answered;
  }
}

type Keys = { publicKey: string; privateKey: string };
/**
 * `contact`: our address, for the operator of the push service. `topic`: an undelivered push is replaced by
 * the next one of its topic.
 */
type Options = { keys: Keys; contact: string; fetcher: Fetcher };
export type Push = { send: (to: Subscription, payload: object, topic: string) => Promise<Outcome> };

/** Seconds that it is kept for a browser that is not running. */
const HOLDS = 24 * 60 * 60;
/** Bytes: some push services take at most 4 KB, encryption included. */
const MOST = 3_000;

/**
 * Opens web push: encrypted for the browser (RFC 8291), signed by us (RFC 8292), and sent through the
 * fetcher, so that a made-up endpoint cannot reach our network.
 * @throws `WebPushError` when it should be retried
 */
export function openPush({ keys, contact, fetcher }: Options): Push {
  return {
    async send({ endpoint, publicKey, auth }, payload, topic) {
      const body = Buffer.from(JSON.stringify(payload));
      if (body.length > MOST) throw new Error("That is too long for a push.");
      const details = sealed({ endpoint, keys: { p256dh: publicKey, auth } }, body, { keys, contact, topic });
      if (!details) return "gone";
      const answer = await fetcher.send(endpoint, details).catch(faultOf);
      if (answer === null || answer.status === 404 || answer.status === 410) return "gone";
      if (answer.status >= 200 && answer.status < 300) return "sent";
      // Other 4xx responses about this browser are permanent: a bad key, a subscription for another sender.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 413 && answer.status !== 429)
        return "gone";
      throw new PushFault(`The push was answered with ${answer.status}.`, answer.retryAfter, true);
    },
  };
}

/** Null for a forbidden address; an outage is rethrown. */
function faultOf(error: unknown): null {
  if (error instanceof FetchFault && error.cause === undefined && !/takes too long/.test(error.message)) return null;
  throw new PushFault("The push found nobody to take it.");
}

type How = { keys: Keys; contact: string; topic: string };

/** Null when the browser's keys are invalid. */
function sealed(subscription: webpush.PushSubscription, body: Buffer, { keys, contact, topic }: How) {
  try {
    const { headers, body: bytes } = webpush.generateRequestDetails(subscription, body, {
      vapidDetails: { subject: contact, ...keys },
      TTL: HOLDS,
      topic,
      contentEncoding: "aes128gcm",
    });
    return { headers: headers as Record<string, string>, body: bytes };
  } catch {
    return null;
  }
}
