import webpush from "web-push";
import { FetchError, type Fetcher } from "#platform/fetcher";

/** A browser's push endpoint and the keys for its encryption. */
export type BrowserSubscription = { endpoint: string; publicKey: string; auth: string };
export type WebPushOutcome =
  | "sent"
  /** The browser's subscription has ended or never existed: never push to it again. */
  | "gone";

/**
 * A temporary failure of a push. Its message contains no address, because an address would identify a
 * person.
 */
export class WebPushError extends Error {
  override name = "PushFault";
  /** Seconds until a retry, if the push service says so. */
  readonly retryAfter: number | null;
  /** True when the push service rejected the push; false when it may have arrived. */
  readonly answered: boolean;
  constructor(message: string, retryAfter: number | null = null, answered = false) {
    super(message);
    this.retryAfter = retryAfter;
    this.answered = answered;
  }
}

type VapidKeys = { publicKey: string; privateKey: string };
/**
 * `contact`: our address, for the operator of the push service. `topic`: an undelivered push is replaced by
 * the next one of its topic.
 */
type WebPushOptions = { keys: VapidKeys; contact: string; fetcher: Fetcher };
export type WebPushClient = {
  send: (to: BrowserSubscription, payload: object, topic: string) => Promise<WebPushOutcome>;
};

/** Seconds for which the push service stores a push for a browser that is not running. */
const PUSH_TTL = 24 * 60 * 60;
/**
 * Maximum bytes of a message before encryption: some push services accept at most 4 KB, encryption included.
 */
const MAX_PAYLOAD = 3_000;

/**
 * Creates web push: messages are encrypted for the browser (RFC 8291), signed by us (RFC 8292), and sent
 * through the fetcher, so that a forged endpoint cannot reach our network.
 * @throws `WebPushError` when it should be retried
 */
export function createWebPushClient({ keys, contact, fetcher }: WebPushOptions): WebPushClient {
  return {
    async send({ endpoint, publicKey, auth }, payload, topic) {
      const body = Buffer.from(JSON.stringify(payload));
      if (body.length > MAX_PAYLOAD) throw new Error("The message is too long for a push.");
      const details = encryptPush({ endpoint, keys: { p256dh: publicKey, auth } }, body, {
        keys,
        contact,
        topic,
      });
      if (!details) return "gone";
      const answer = await fetcher.send(endpoint, details).catch(rethrowAsPushError);
      if (answer === null || answer.status === 404 || answer.status === 410) return "gone";
      if (answer.status >= 200 && answer.status < 300) return "sent";
      // All other 4xx responses are permanent: a bad key, or a subscription for another sender.
      if (
        answer.status >= 400 &&
        answer.status < 500 &&
        answer.status !== 408 &&
        answer.status !== 413 &&
        answer.status !== 429
      )
        return "gone";
      throw new WebPushError(`The push service responded with ${answer.status}.`, answer.retryAfter, true);
    },
  };
}

/** Returns null for a forbidden address; rethrows an outage. */
function rethrowAsPushError(error: unknown): null {
  if (error instanceof FetchError && error.cause === undefined && !/takes too long/.test(error.message))
    return null;
  throw new WebPushError("The push service could not be reached.");
}

type EncryptOptions = { keys: VapidKeys; contact: string; topic: string };

/** Returns null when the browser's keys are invalid. */
function encryptPush(
  subscription: webpush.PushSubscription,
  body: Buffer,
  { keys, contact, topic }: EncryptOptions,
) {
  try {
    const { headers, body: bytes } = webpush.generateRequestDetails(subscription, body, {
      vapidDetails: { subject: contact, ...keys },
      TTL: PUSH_TTL,
      topic,
      contentEncoding: "aes128gcm",
    });
    return { headers: headers as Record<string, string>, body: bytes };
  } catch {
    return null;
  }
}
