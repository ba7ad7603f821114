import type { Socket } from "socket.io";
import type { LogKind } from "#baas/logging";
import type { Caller as TableCaller } from "#baas/data";
import type { listScopeFollowers, FollowedEntity, SubscriptionTarget } from "#community/api-entities";
import type { Viewer } from "#community/rules";
import { clientNetwork } from "#platform/client-address";
import { readPrivateField } from "#platform/objects";
import { KeyedQueue } from "#platform/queue";
import { HTTP_STATUS, type Reason, type Refusal } from "#platform/refusal";
import type { MessageSelector } from "./pub-sub/channel-subscription.ts";
import type { TableSubscription } from "./data/table-subscription-index.ts";
import type { RecordCondition } from "./record-condition.ts";

/** The caller as the data tables identify it, with its viewer for API entities. */
export type ViewerTableCaller = TableCaller & { viewer: Viewer };

/**
 * A subscription to records. It is indexed under `key`, and closed when the caller loses access to one of
 * its `scopes`.
 */
export type RecordSubscription = {
  kind: "records";
  id: string;
  table: FollowedEntity;
  event: string;
  where: RecordCondition | null;
  key: string;
  scopes: SubscriptionScope[];
};
/** A subscription to one kind of event on a channel (`side`). */
export type ChannelSubscription = {
  kind: "channel";
  id: string;
  channel: string;
  side: "connect" | "messages" | "commands" | "users";
  scopes: SubscriptionScope[];
  /** Selects which messages of a pub/sub channel are delivered; null for all. */
  selector: MessageSelector | null;
};
/** A subscription to one kind of event on a shared object (`side`). */
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
/** A scope, with its group once the group has been looked up. */
export type SubscriptionScope = SubscriptionTarget & { groupId: string | null };

/** The user of a connection. `isLockedOut`: a guest of a private community. */
export type ConnectionUser = {
  viewer: Viewer;
  sessionId: string | null;
  isPage: boolean;
  sessionEnded: boolean;
  isLockedOut: boolean;
};

/** Error code of the REST API for an unknown token. */
const TOKEN_UNKNOWN = 3064;
/** Error code of the REST API for a table that the caller may not use. */
const NO_PERMISSION = 1011;
const SIGN_IN_REASONS: ReadonlySet<Reason> = new Set(["not-signed-in", "not-allowed", "not-found"]);

/** A client connection: its socket and its current user. */
export class Caller {
  readonly socket: Socket;
  readonly address: string;
  /** Network whose limits apply to the caller; see `clientNetwork`. */
  readonly network: string;
  /** Whether the client presented the server key. */
  readonly withServerKey: boolean;
  /** Pub/sub channels that the caller is connected to. */
  readonly present = new Set<string>();
  /** Runs user changes, and announcements of arrivals and departures, each kind in order. */
  readonly queue = new KeyedQueue();
  readonly subscriptions = new Map<string, Subscription>();
  /** Scope lookups in progress. */
  readonly scopeLookups = new Map<string, ReturnType<typeof listScopeFollowers>>();
  /** Subscriptions that are being opened, by id; only the latest of each id. */
  readonly opening = new Map<string, Promise<unknown>>();
  /** The caller as the data tables identify it, once loaded, and the lookup that loads it. */
  tableCaller: ViewerTableCaller | null = null;
  tableCallerLookup: Promise<ViewerTableCaller> | null = null;
  /** Current user; a later token may change it. A guest has no session. */
  viewer: Viewer;
  sessionId: string | null;
  /**
   * Whether the client connected with a ticket, as our pages do. A disconnected page requests a new ticket,
   * or finds out that the person is signed out.
   */
  isPage: boolean;
  /** Whether the session has ended and the client, now a guest, has not sent another token since. */
  sessionEnded: boolean;
  /** Whether this is a guest of a private community, who is connected only to receive that error. */
  isLockedOut: boolean;
  /** Number of subscription requests that the limit per minute has refused. */
  refusedRequests = 0;
  #points = BURST;
  #filledAt = performance.now();

  constructor(socket: Socket, who: ConnectionUser & { withServerKey: boolean; address: string }) {
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

  /** Id of the engine session, which the client also has. */
  get connectionId(): string {
    return readPrivateField<string>(this.socket.conn, "id");
  }

  /** Drops cached roles; they are loaded again when needed. */
  forgetRoles(): void {
    this.tableCaller = null;
    this.tableCallerLookup = null;
  }

  /** Charges packets to the socket's budget; false when it is exhausted. */
  canSpeak(packets: number): boolean {
    const now = performance.now();
    this.#points = Math.min(BURST, this.#points + ((now - this.#filledAt) / 1000) * PER_SECOND);
    this.#filledAt = now;
    this.#points -= packets;
    return this.#points >= 0;
  }

  /**
   * Sends a message. A client with too much unread data is disconnected; it reloads everything when it
   * reconnects.
   */
  send(event: "SUB_READY" | "SUB_RES" | "MET_RES", payload: object): void {
    if (!this.socket.connected) return;
    this.socket.emit(event, payload);
    if (hasTooMuchUnread(this.socket)) this.cut();
  }

  /**
   * Sends an error. If the caller's session has ended and a signed-in person would be allowed to make the
   * request, the error says that the session has ended, with the code that the REST API uses.
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
   * Disconnects without a closing message: a client that does not read would not receive it, and its buffers
   * would stay in memory for half a minute.
   */
  cut(): void {
    const transport = readPrivateField<{ socket?: { terminate?: () => void } }>(
      this.socket.conn,
      "transport",
    );
    this.end();
    transport.socket?.terminate?.();
  }
}

/**
 * Maximum packets that a socket may send at once. A page sends a dozen packets when it opens; a reconnecting
 * app sends all its subscriptions.
 */
const BURST = 1_500;
/** Packets added to a socket's budget per second. */
const PER_SECOND = 100;
/** Maximum unread data of one client. */
const MAX_UNREAD = { packets: 3_000, bytes: 1_000_000 };

function hasTooMuchUnread(socket: Socket): boolean {
  const writeBuffer = readPrivateField<{ data?: string | Buffer }[]>(socket.conn, "writeBuffer");
  if (writeBuffer.length > MAX_UNREAD.packets) return true;
  return writeBuffer.reduce((sum, { data }) => sum + (data?.length ?? 0), 0) > MAX_UNREAD.bytes;
}
