import type { ServerOptions, Socket } from "socket.io";
import { readPrivateField } from "#platform/objects";
import type { SubscriptionRegistry } from "./subscription-registry.ts";

type CorsByRequest = Extract<NonNullable<ServerOptions["cors"]>, (...given: never[]) => void>;

/** Whether a client uses the engine protocol of Socket.IO 2, as older SDKs do. */
const isLegacyClient = ({ conn }: Socket): boolean => readPrivateField<number>(conn, "protocol") === 3;

/**
 * Milliseconds within which a Socket.IO 2 client must join the app's namespace. The engine has the same
 * limit for newer clients.
 */
const NAMESPACE_TIMEOUT = 10_000;

/**
 * Whether a Socket.IO 2 client is still in the namespace "/", where the server puts it until it joins
 * another one. No caller is created for it there: a second caller per connection would count twice against
 * the person's connection limit.
 */
export const isAwaitingNamespace = (socket: Socket): boolean =>
  isLegacyClient(socket) && socket.nsp.name === "/";

/**
 * Disconnects a client that stays in "/" or sends anything there, because no rate limit applies in that
 * namespace.
 */
export function requireNamespace(subscriptions: SubscriptionRegistry, socket: Socket): void {
  const hasJoined = () => [...subscriptions.callers].some((caller) => caller.socket.conn === socket.conn);
  const timer = setTimeout(() => hasJoined() || socket.disconnect(true), NAMESPACE_TIMEOUT).unref();
  socket.onAny(() => socket.disconnect(true));
  socket.on("disconnect", () => clearTimeout(timer));
}

/**
 * Closes the connection of a Socket.IO 2 client that leaves the app's namespace, since it would otherwise
 * stay connected in "/".
 */
export function closeAfterLeavingNamespace(socket: Socket): void {
  if (isLegacyClient(socket)) socket.conn.close();
}

/**
 * CORS options by request. Browsers send polling requests of Socket.IO 2 with credentials and reject answers
 * that allow any origin, so the request's origin is returned. This is safe: the token in the query
 * identifies the caller, never a cookie.
 */
export const corsForClient: CorsByRequest = (request, done) => {
  // The package's type leaves out the URL.
  const path = "url" in request && typeof request.url === "string" ? request.url : "/";
  const { searchParams } = new URL(path, "http://localhost");
  done(null, searchParams.get("EIO") === "3" ? { origin: true, credentials: true } : { origin: "*" });
};
