import type { Socket } from "socket.io";
import { GUEST } from "#community/rules";
import { isSameSecret } from "#platform/ids";
import { clientNetwork } from "#platform/client-address";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { HandshakeQuery } from "./packet-schemas.ts";
import { parsePacket } from "./parse-packet.ts";
import type { ConnectionUser } from "./realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { findSessionByTicket, findSession } from "#community/accounts";

/** Maximum connections per person, over all windows and devices. */
const MAX_PER_PERSON = 30;
/** Maximum connections per network address, which everyone in a school, for example, may share. */
const MAX_PER_ADDRESS = 1_000;

type AuthenticatedClient = ConnectionUser & { withServerKey: boolean };

/**
 * Identifies the client of a handshake. Hosted clients send key and token in the query; our pages in the
 * payload, since URLs may appear in proxy logs.
 * @throws `not-allowed` for a wrong key, `not-signed-in` for an unknown token, `too-many`
 */
export async function authenticateHandshake(
  app: Pick<RealtimeContext, "database" | "now" | "sealer" | "settings" | "clientKey" | "serverKey">,
  subscriptions: SubscriptionRegistry,
  { handshake }: Socket,
  address: string,
): Promise<AuthenticatedClient> {
  const { apiKey, userToken } = parsePacket(HandshakeQuery, { ...handshake.query, ...handshake.auth });
  const server = isSameSecret(app.serverKey, apiKey);
  if (!server && !isSameSecret(app.clientKey, apiKey))
    throw new Refusal("not-allowed", "The key is not valid.");
  const who = await resolveToken(app, userToken, server);
  if (who.sessionEnded && !SESSION_TOKEN.test(userToken ?? "")) throw unknownTokenRefusal();
  if (who.isLockedOut && !who.sessionEnded) throw membersOnlyRefusal();
  const callers = [...subscriptions.callers];
  const network = clientNetwork(address);
  if (
    who.viewer.id !== null &&
    callers.filter(({ viewer }) => viewer.id === who.viewer.id).length >= MAX_PER_PERSON
  )
    throw new Refusal(
      "too-many",
      msg("One user can have at most {count} connections.", { count: MAX_PER_PERSON }),
    );
  if (callers.filter((caller) => caller.network === network).length >= MAX_PER_ADDRESS)
    throw new Refusal("too-many", "There are too many connections from your address.");
  return { ...who, withServerKey: server };
}

/**
 * Resolves a token to a user. Apps send their session token; our pages cannot read theirs and send a ticket
 * instead. Without a token, or with an unknown one, the user is a guest. A private community locks guests
 * out unless they have the server key.
 */
export async function resolveToken(
  app: Pick<RealtimeContext, "database" | "now" | "sealer" | "settings">,
  token: string | null,
  server: boolean,
): Promise<ConnectionUser> {
  const open = { sessionEnded: false, isLockedOut: false };
  if (token !== null) {
    const byTicket = await findSessionByTicket(app, token);
    const known = byTicket ?? (await findSession(app, token, "api"));
    if (known)
      return { ...open, viewer: known.viewer, sessionId: known.session.id, isPage: byTicket !== null };
  }
  const isLockedOut = !server && (await app.settings.get()).audience === "private";
  return { viewer: GUEST, sessionId: null, isPage: false, sessionEnded: token !== null, isLockedOut };
}

/**
 * Format of a session token. A client with an expired token is connected as a guest, and its subscriptions
 * get the error: if it were refused, it would reconnect endlessly until its app replaces the token. Text in
 * any other format is refused at once.
 */
const SESSION_TOKEN = /^[\w-]{43}$/;

export const unknownTokenRefusal = () => new Refusal("not-signed-in", "This token is no longer valid.");
export const membersOnlyRefusal = () => new Refusal("not-signed-in", "This community is for members only.");
