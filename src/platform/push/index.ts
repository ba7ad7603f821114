import webpush from "web-push";
import { FetchFault, type Fetcher } from "#platform/fetcher";

/** Where a browser takes what is pushed, and the keys with which only it can read that. */
export type Subscription = { endpoint: string; publicKey: string; auth: string };
export type Outcome =
  | "sent"
  /** The browser is not there any more, or never was: it is not to be asked again. */
  | "gone";

/** A push that did not arrive this time. Its words name no address: that is as good as a name. */
export class PushFault extends Error {
  override name = "PushFault";
  /** Seconds, where the other side said so. */
  readonly retryAfter: number | null;
  /** Whether the other side said that it did not take it; otherwise it may have. */
  readonly answered: boolean;
  constructor(message: string, retryAfter: number | null = null, answered = false) {
    super(message);
    this.retryAfter = retryAfter;
    this.answered = answered;
  }
}

type Keys = { publicKey: string; privateKey: string };
/** `contact`: an address of ours, for who runs the other side. `topic`: what is not delivered yet gives way to the next of it. */
type Options = { keys: Keys; contact: string; fetcher: Fetcher };
export type Push = { send: (to: Subscription, payload: object, topic: string) => Promise<Outcome> };

/** For how many seconds it is kept for a browser that is not running. */
const HOLDS = 24 * 60 * 60;
/** Bytes: some makers of browsers take no more than 4 KB, encryption included. */
const MOST = 3_000;

/**
 * The way to browsers: encrypted for the one (RFC 8291), signed by us (RFC 8292), and sent through the fetcher, so that no
 * endpoint that somebody made up leads into the network we stand in. Throws `PushFault` for what is to be tried again.
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
      // What else of the 4xx kind is said of this one browser will not change: a bad key, a subscription made for another.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 413 && answer.status !== 429)
        return "gone";
      throw new PushFault(`The push was answered with ${answer.status}.`, answer.retryAfter, true);
    },
  };
}

/** Null for an address that may not be asked; an outage is another matter. */
function faultOf(error: unknown): null {
  if (error instanceof FetchFault && error.cause === undefined && !/takes too long/.test(error.message)) return null;
  throw new PushFault("The push found nobody to take it.");
}

type How = { keys: Keys; contact: string; topic: string };

/** Null where the keys of a browser are none. */
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
