import { GUEST } from "#community/rules";
import { becomes, inTurn } from "./becoming.ts";
import type { Caller } from "./caller.ts";
import type { RealtimeHouse, Room } from "./room.ts";

/**
 * Makes guests of callers whose session has ended: what they may not follow any more is told to its listeners, and the connection stays,
 * since a client that is cut off comes back with the same token without end. Pages are cut off: they come back with a new ticket, or
 * learn that nobody is signed in. Also done each minute, for sessions whose end was not announced.
 */
export async function endSessions(house: RealtimeHouse, room: Room, callers: Caller[]): Promise<void> {
  const withSession = callers.filter(({ sessionId }) => sessionId !== null);
  if (withSession.length === 0) return;
  const live = await house.accounts.liveSessions([...new Set(withSession.map(({ sessionId }) => sessionId!))]);
  const over = withSession.filter(({ sessionId }) => !live.has(sessionId!));
  for (const caller of over)
    if (caller.isPage) caller.end();
    else await endSession(house, room, caller, caller.sessionId!);
}

async function endSession(house: RealtimeHouse, room: Room, caller: Caller, sessionId: string) {
  const isShut = !caller.withServerKey && (await house.settings.get()).audience === "private";
  const ending = inTurn(caller, async () => {
    // Somebody may have been named meanwhile who is still signed in.
    if (caller.sessionId !== sessionId) return;
    await becomes(house, room, caller, { viewer: GUEST, sessionId: null, isPage: false, sessionEnded: true, isShut });
  });
  await ending.catch((error: unknown) =>
    house.log.warn({ err: error }, "listeners of an ended session could not be told: they are cut off"),
  );
}

/** The community has become private: guests are told so and cut off. Once it is public again, those who stayed are let in. */
export async function askGuestsAgain(house: RealtimeHouse, room: Room): Promise<void> {
  const isShut = (await house.settings.get()).audience === "private";
  for (const caller of room.callers)
    if (caller.viewer.role === "guest" && !caller.withServerKey && caller.isShut !== isShut)
      await inTurn(caller, async () => {
        if (caller.viewer.role !== "guest" || caller.isShut === isShut) return;
        const { viewer, sessionId, isPage, sessionEnded } = caller;
        await becomes(house, room, caller, { viewer, sessionId, isPage, sessionEnded, isShut });
        if (isShut) caller.end();
      });
}
