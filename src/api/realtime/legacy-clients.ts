import type { IncomingMessage } from "node:http";
import type { ServerOptions, Socket } from "socket.io";
import type { SubscriptionRegistry } from "./subscription-registry.ts";

type CorsByRequest = Extract<NonNullable<ServerOptions["cors"]>, (...given: never[]) => void>;

/** Engine protocol of Socket.IO 2, which older SDKs use. */
const isLegacyClient = ({ conn }: Socket): boolean =>
  (conn as unknown as { protocol: number }).protocol === 3;

/**
 * Milliseconds for a Socket.IO 2 client to join the app's namespace, equal to the engine's limit for others.
 */
const NAMESPACE_TIMEOUT = 10_000;

/**
 * The server puts Socket.IO 2 clients into the namespace "/" until they join another one. They have no caller
 * there: a second one per connection would halve the connection limit of a person, and would end with the
 * first session it saw.
 */
export const isAwaitingNamespace = (socket: Socket): boolean =>
  isLegacyClient(socket) && socket.nsp.name === "/";

/** Disconnects a client that stays in "/", or sends anything there, since no limit counts it. */
export function requireNamespace(subscriptions: SubscriptionRegistry, socket: Socket): void {
  const hasJoined = () => [...subscriptions.callers].some((caller) => caller.socket.conn === socket.conn);
  const timer = setTimeout(() => hasJoined() || socket.disconnect(true), NAMESPACE_TIMEOUT).unref();
  socket.onAny(() => socket.disconnect(true));
  socket.on("disconnect", () => clearTimeout(timer));
}

/** A client that left the app's namespace would stay connected in "/". */
export function closeWithNamespace(socket: Socket): void {
  if (isLegacyClient(socket)) socket.conn.close();
}

/**
 * Browsers send Socket.IO 2 polling requests with credentials and then reject answers for any origin. Echoing
 * the origin is safe: the token in the query identifies the caller, never a cookie.
 */
export const corsForClient: CorsByRequest = (request, done) => {
  const { searchParams } = new URL((request as IncomingMessage).url ?? "/", "http://localhost");
  done(null, searchParams.get("EIO") === "3" ? { origin: true, credentials: true } : { origin: "*" });
};
