import type { Socket } from "socket.io";
import type { Kind } from "#backend/logs";
import type { Caller as TableCaller } from "#backend/tables";
import type { followersOf, Noun, Scope } from "#community/published";
import type { Viewer } from "#community/rules";
import { networkOf } from "#platform/limits";
import { HTTP_STATUS, type Reason, type Refusal } from "#platform/refusal";
import type { Selector } from "./pub-sub/listening.ts";
import type { TableFollowing } from "./tables/filing.ts";
import type { Clause } from "./where.ts";

/** Records that somebody follows: filed under one `key`, and closed when a place in `scopes` is closed to them. */
export type Following = { kind: "records"; id: string; table: Noun; event: string; where: Clause | null; key: string; scopes: Place[] };
/** One side of a channel that somebody listens to. */
export type Listening = {
  kind: "channel";
  id: string;
  channel: string;
  side: "connect" | "messages" | "commands" | "users";
  scopes: Place[];
  /** Which messages, on a channel of programs; null for all. */
  selector: Selector | null;
};
/** One side of a shared object that somebody listens to. */
export type Sharing = {
  kind: "shared";
  id: string;
  name: string;
  side: "connect" | "changes" | "cleared" | "commands" | "invoke" | "users";
  scopes: Place[];
};
/** What is said in the logs, as an admin overhears it. */
export type Overhearing = { kind: "console"; id: string; about: Kind; scopes: Place[] };
export type Subscription = Following | Listening | Sharing | Overhearing | TableFollowing;
/** A scope, and the group it stands in, once that is known. */
export type Place = Scope & { groupId: string | null };

/** Who speaks through a connection, and how far that lets them in. */
export type Who = { viewer: Viewer; sessionId: string | null; isPage: boolean; sessionEnded: boolean; isShut: boolean };

/** Numbers of the REST API: the token stands for nobody any more; no permission for a table. */
const TOKEN_UNKNOWN = 3064;
const NO_PERMISSION = 1011;
const LETS_MEMBERS_IN: ReadonlySet<Reason> = new Set(["not-signed-in", "not-allowed", "not-found"]);

/** One end of a line: a socket and who speaks through it. */
export class Caller {
  readonly socket: Socket;
  readonly address: string;
  /** On whose account of the address they are: `networkOf`. */
  readonly network: string;
  /** The program has shown the server key. */
  readonly withServerKey: boolean;
  /** Channels of programs that they are connected to. */
  readonly present = new Set<string>();
  /** Done when others have been told of the last time that they came or went: what follows is told after it. */
  told: Promise<void> = Promise.resolve();
  /** Done when whoever was named last speaks here. */
  becoming: Promise<void> = Promise.resolve();
  readonly subscriptions = new Map<string, Subscription>();
  /** Questions about places that are under way. */
  readonly asking = new Map<string, ReturnType<typeof followersOf>>();
  /** Subscriptions that are being looked into: the last that came under each id. */
  readonly beginning = new Map<string, Promise<unknown>>();
  /** Who they are to tables of programs, once that is known; and the question about it. */
  forTables: TableCaller | null = null;
  learning: Promise<TableCaller> | null = null;
  /** Who it is stays open until a token says otherwise; a guest has no session. */
  viewer: Viewer;
  sessionId: string | null;
  /** One of our own pages, by its ticket: it comes back with a new one, or learns that there is none. */
  isPage: boolean;
  /** A guest whose session has ended, and who has named nobody since. */
  sessionEnded: boolean;
  /** A guest of a private community who keeps the connection only to be told so. */
  isShut: boolean;
  /** Requests for subscriptions that were beyond what they may ask for in a minute. */
  refusedRequests = 0;
  #points = BURST;
  #filledAt = performance.now();

  constructor(socket: Socket, who: Who & { withServerKey: boolean; address: string }) {
    this.socket = socket;
    this.viewer = who.viewer;
    this.sessionId = who.sessionId;
    this.isPage = who.isPage;
    this.sessionEnded = who.sessionEnded;
    this.isShut = who.isShut;
    this.address = who.address;
    this.network = networkOf(who.address);
    this.withServerKey = who.withServerKey;
  }

  /** The id of the engine's session: the one that a client knows itself by. */
  get connectionId(): string {
    return (this.socket.conn as unknown as { id: string }).id;
  }

  /** Their roles are asked about again when they are next needed. */
  forgetRoles(): void {
    this.forTables = null;
    this.learning = null;
  }

  /** Takes so many of the packets this socket has in hand; false when there are none left. */
  maySpeak(packets: number): boolean {
    const now = performance.now();
    this.#points = Math.min(BURST, this.#points + ((now - this.#filledAt) / 1000) * PER_SECOND);
    this.#filledAt = now;
    this.#points -= packets;
    return this.#points >= 0;
  }

  /** Sends; a reader who leaves too much lying is cut off, and finds everything again when it comes back. */
  send(event: "SUB_READY" | "SUB_RES" | "MET_RES", payload: object): void {
    if (!this.socket.connected) return;
    this.socket.emit(event, payload);
    if (isTooFarBehind(this.socket)) this.cut();
  }

  /** Whoever would be let in with a session that lives is told that theirs has ended, under the number that REST has for it. */
  refuse(event: "SUB_RES" | "MET_RES", id: string, refusal: Refusal, code?: number): void {
    const forGuests = code === NO_PERMISSION || (code === undefined && LETS_MEMBERS_IN.has(refusal.reason));
    const ended = event === "SUB_RES" && this.sessionEnded && forGuests;
    const status = ended ? TOKEN_UNKNOWN : (code ?? HTTP_STATUS[refusal.reason]);
    const message = ended ? "Your session has ended. Sign in again to follow this." : refusal.message;
    this.send(event, { id, error: { code: event === "MET_RES" ? String(status) : status, message } });
  }

  end(): void {
    this.socket.disconnect(true);
  }

  /** Ends it without a farewell: who does not read would not hear it, and what waits for them would be kept for half a minute. */
  cut(): void {
    const { transport } = this.socket.conn as unknown as { transport: { socket?: { terminate?: () => void } } };
    this.end();
    transport.socket?.terminate?.();
  }
}

/** Packets at once, and each second from then on. A page sends a dozen when it opens; a program that comes back, all that it follows. */
const BURST = 1_500;
const PER_SECOND = 100;
/** What may wait for one reader. */
const MOST_WAITING = { packets: 3_000, bytes: 1_000_000 };

function isTooFarBehind(socket: Socket): boolean {
  const { writeBuffer } = socket.conn as unknown as { writeBuffer: { data?: string | Buffer }[] };
  if (writeBuffer.length > MOST_WAITING.packets) return true;
  return writeBuffer.reduce((sum, { data }) => sum + (data?.length ?? 0), 0) > MOST_WAITING.bytes;
}
