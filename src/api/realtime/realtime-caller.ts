import type { Socket } from "socket.io";
import type { LogKind } from "#baas/logging";
import type { Caller as TableCaller } from "#baas/data";
import type { listScopeFollowers, FollowedEntity, SubscriptionTarget } from "#community/api-entities";
import type { Viewer } from "#community/rules";
import { clientNetwork } from "#platform/client-address";
import { KeyedQueue } from "#platform/queue";
import { HTTP_STATUS, type Reason, type Refusal } from "#platform/refusal";
import type { MessageSelector } from "./pub-sub/channel-subscription.ts";
import type { TableSubscription } from "./data/table-subscription-index.ts";
import type { RecordCondition } from "./record-condition.ts";

/** A subscription to records: indexed under `key`, and closed when access to one of its `scopes` ends. */
export type RecordSubscription = {
  kind: "records";
  id: string;
  table: FollowedEntity;
  event: string;
  where: RecordCondition | null;
  key: string;
  scopes: SubscriptionScope[];
};
/** A subscription to one side of a channel. */
export type ChannelSubscription = {
  kind: "channel";
  id: string;
  channel: string;
  side: "connect" | "messages" | "commands" | "users";
  scopes: SubscriptionScope[];
  /** Which messages of a pub/sub channel; null for all. */
  selector: MessageSelector | null;
};
/** A subscription to one side of a shared object. */
export type SharedObjectSubscription = {
  kind: "shared";
  id: string;
  name: string;
  side: "connect" | "changes" | "cleared" | "commands" | "invoke" | "users";
  scopes: SubscriptionScope[];
};
/** An admin's subscription to log lines. */
export type LogSubscription = { kind: "console"; id: string; about: LogKind; scopes: SubscriptionScope[] };
export type Subscription =
  | RecordSubscription
  | ChannelSubscription
  | SharedObjectSubscription
  | LogSubscription
  | TableSubscription;
/** A scope, with its group once that is known. */
export type SubscriptionScope = SubscriptionTarget & { groupId: string | null };

/** The user of a connection. `isLockedOut`: a guest of a private community. */
export type Who = {
  viewer: Viewer;
  sessionId: string | null;
  isPage: boolean;
  sessionEnded: boolean;
  isLockedOut: boolean;
};

/** Error codes of the REST API: unknown token; no permission for a table. */
const TOKEN_UNKNOWN = 3064;
const NO_PERMISSION = 1011;
const SIGN_IN_REASONS: ReadonlySet<Reason> = new Set(["not-signed-in", "not-allowed", "not-found"]);

/** A client connection: its socket, and the user it acts as. */
export class Caller {
  readonly socket: Socket;
  readonly address: string;
  /** Network whose limits apply: `clientNetwork`. */
  readonly network: string;
  /** The client presented the server key. */
  readonly withServerKey: boolean;
  /** Pub/sub channels it is connected to. */
  readonly present = new Set<string>();
  /** Changes of its user, and announcements of its arrivals and departures, each in order. */
  readonly queue = new KeyedQueue();
  readonly subscriptions = new Map<string, Subscription>();
  /** Scope lookups in progress. */
  readonly scopeLookups = new Map<string, ReturnType<typeof listScopeFollowers>>();
  /** Subscriptions being opened: the latest per id. */
  readonly opening = new Map<string, Promise<unknown>>();
  /** Identity towards data tables, once known, and its lookup. */
  tableCaller: TableCaller | null = null;
  tableCallerLookup: Promise<TableCaller> | null = null;
  /** May change with a later token; a guest has no session. */
  viewer: Viewer;
  sessionId: string | null;
  /**
   * Connected with a ticket, as our pages are: a page that is disconnected gets a new one, or finds that it
   * is signed out.
   */
  isPage: boolean;
  /** A guest whose session has ended, and who has sent no other token since. */
  sessionEnded: boolean;
  /** A guest of a private community, connected only to receive that error. */
  isLockedOut: boolean;
  /** Subscription requests refused by the limit per minute. */
  refusedRequests = 0;
  #points = BURST;
  #filledAt = performance.now();

  constructor(socket: Socket, who: Who & { withServerKey: boolean; address: string }) {
    this.socket = socket;
    this.viewer = who.viewer;
    this.sessionId = who.sessionId;
    this.isPage = who.isPage;
    this.sessionEnded = who.sessionEnded;
    this.isLockedOut = who.isLockedOut;
    this.address = who.address;
    this.network = clientNetwork(who.address);
    this.withServerKey = who.withServerKey;
  }

  /** Id of the engine session, which the client knows too. */
  get connectionId(): string {
    return (this.socket.conn as unknown as { id: string }).id;
  }

  /** Drops cached roles; they are loaded again when needed. */
  forgetRoles(): void {
    this.tableCaller = null;
    this.tableCallerLookup = null;
  }

  /** Takes packets from the socket's budget; false when it is exhausted. */
  canSpeak(packets: number): boolean {
    const now = performance.now();
    this.#points = Math.min(BURST, this.#points + ((now - this.#filledAt) / 1000) * PER_SECOND);
    this.#filledAt = now;
    this.#points -= packets;
    return this.#points >= 0;
  }

  /** Sends; disconnects a client with too much unread data, which reloads everything when it reconnects. */
  send(event: "SUB_READY" | "SUB_RES" | "MET_RES", payload: object): void {
    if (!this.socket.connected) return;
    this.socket.emit(event, payload);
    if (hasTooMuchUnread(this.socket)) this.cut();
  }

  /**
   * Sends an error. If the session has ended and members would be allowed, the error says so, with the code
   * that the REST API uses.
   */
  refuse(event: "SUB_RES" | "MET_RES", id: string, refusal: Refusal, code?: number): void {
    const forGuests = code === NO_PERMISSION || (code === undefined && SIGN_IN_REASONS.has(refusal.reason));
    const ended = event === "SUB_RES" && this.sessionEnded && forGuests;
    const status = ended ? TOKEN_UNKNOWN : (code ?? HTTP_STATUS[refusal.reason]);
    const message = ended ? "Your session has ended. Sign in again." : refusal.message;
    this.send(event, { id, error: { code: event === "MET_RES" ? String(status) : status, message } });
  }

  end(): void {
    this.socket.disconnect(true);
  }

  /**
   * Disconnects without a goodbye: a client that does not read would not see it, and its buffers would stay
   * for half a minute.
   */
  cut(): void {
    const { transport } = this.socket.conn as unknown as {
      transport: { socket?: { terminate?: () => void } };
    };
    this.end();
    transport.socket?.terminate?.();
  }
}

/**
 * Packet budget: burst size, and refill per second. A page sends a dozen on opening; a reconnecting app sends
 * all its subscriptions.
 */
const BURST = 1_500;
const PER_SECOND = 100;
/** Maximum unread data of one client. */
const MAX_UNREAD = { packets: 3_000, bytes: 1_000_000 };

function hasTooMuchUnread(socket: Socket): boolean {
  const { writeBuffer } = socket.conn as unknown as { writeBuffer: { data?: string | Buffer }[] };
  if (writeBuffer.length > MAX_UNREAD.packets) return true;
  return writeBuffer.reduce((sum, { data }) => sum + (data?.length ?? 0), 0) > MAX_UNREAD.bytes;
}
