import type { IncomingMessage } from "node:http";
import type { ServerOptions, Socket } from "socket.io";
import type { Room } from "./room.ts";

type CorsByRequest = Extract<NonNullable<ServerOptions["cors"]>, (...given: never[]) => void>;

/** The engine's protocol of Socket.IO 2, which older SDKs speak. */
const isLegacy = ({ conn }: Socket): boolean => (conn as unknown as { protocol: number }).protocol === 3;

/** Milliseconds in which a client of Socket.IO 2 says which namespace it means, as the engine gives others. */
const NAMESPACE_TIMEOUT = 10_000;

/**
 * The server puts clients of Socket.IO 2 into the namespace "/" before they say which one they mean. There they are nobody: a second
 * caller for the same connection would halve how many connections a person has, and would end with the first session it saw.
 */
export const isWaiting = (socket: Socket): boolean => isLegacy(socket) && socket.nsp.name === "/";

/** Ends a connection that stays in "/", or that says something there: nobody counts what it does. */
export function awaitNamespace(room: Room, socket: Socket): void {
  const hasJoined = () => [...room.callers].some((caller) => caller.socket.conn === socket.conn);
  const timer = setTimeout(() => hasJoined() || socket.disconnect(true), NAMESPACE_TIMEOUT).unref();
  socket.onAny(() => socket.disconnect(true));
  socket.on("disconnect", () => clearTimeout(timer));
}

/** A connection whose client has left the namespace of the application would stay open in "/". */
export function endWithNamespace(socket: Socket): void {
  if (isLegacy(socket)) socket.conn.close();
}

/**
 * Browsers send the polling requests of Socket.IO 2 with credentials, and then read no answer that is for any origin. Naming the origin
 * gives nothing away: who calls is known by the token in the query, never by a cookie.
 */
export const corsByClient: CorsByRequest = (request, done) => {
  const { searchParams } = new URL((request as IncomingMessage).url ?? "/", "http://localhost");
  done(null, searchParams.get("EIO") === "3" ? { origin: true, credentials: true } : { origin: "*" });
};
