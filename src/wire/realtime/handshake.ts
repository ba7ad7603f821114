import type { Socket } from "socket.io";
import { GUEST, type Viewer } from "#community/rules";
import { sameSecret } from "#platform/ids";
import { networkOf } from "#platform/limits";
import { Refusal } from "#platform/refusal";
import { Handshake } from "./packets.ts";
import { parsed } from "./parsed.ts";
import type { RealtimeHouse, Room } from "./room.ts";

/** Lines of one person at once, over all their windows and devices. */
const MOST_LINES = 30;
/** And from one address: a school, say. */
const MOST_FROM_ADDRESS = 1_000;

export type Who = { viewer: Viewer; sessionId: string | null };
type Admitted = Who & { withServerKey: boolean };

/**
 * Who wants a line. The hosted clients name key and token in the query; our pages do so in the payload of the handshake, since an
 * address may stand in the logs of proxies. Throws `not-allowed` for a wrong key, `not-signed-in` for a token that stands for nobody, `too-many`.
 */
export async function admit(house: RealtimeHouse, room: Room, { handshake }: Socket, address: string): Promise<Admitted> {
  const { apiKey, userToken } = parsed(Handshake, { ...handshake.query, ...handshake.auth });
  const server = sameSecret(house.serverKey, apiKey);
  if (!server && !sameSecret(house.clientKey, apiKey)) throw new Refusal("not-allowed", "This is not a key of this community.");
  const who = await whoIs(house, userToken, server);
  const callers = [...room.callers];
  const network = networkOf(address);
  if (who.viewer.id !== null && callers.filter(({ viewer }) => viewer.id === who.viewer.id).length >= MOST_LINES)
    throw new Refusal("too-many", `One person can have ${MOST_LINES} connections.`);
  if (callers.filter((caller) => caller.network === network).length >= MOST_FROM_ADDRESS)
    throw new Refusal("too-many", "Too many connections come from your address.");
  return { ...who, withServerKey: server };
}

/**
 * A program shows the token of its session; a page, which cannot read its own, a ticket for it. Without one: a guest, whom a private
 * community lets in with the server's key alone.
 */
export async function whoIs({ accounts, settings }: RealtimeHouse, token: string | null, server: boolean): Promise<Who> {
  if (token === null) {
    if (!server && (await settings.get()).audience === "private") throw new Refusal("not-signed-in", "This community is for its members.");
    return { viewer: GUEST, sessionId: null };
  }
  const known = (await accounts.sessionByTicket(token)) ?? (await accounts.sessionFor(token, "wire"));
  if (!known) throw new Refusal("not-signed-in", "This token stands for nobody any more.");
  return { viewer: known.viewer, sessionId: known.session.id };
}
