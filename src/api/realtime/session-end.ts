import { GUEST } from "#community/rules";
import { applyUser, inTurn } from "./user-change.ts";
import type { Caller } from "./realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";

/**
 * Makes guests of callers whose session has ended: what they may not follow any more is told to its listeners, and the connection stays,
 * since a client that is cut off comes back with the same token without end. Pages are cut off: they come back with a new ticket, or
 * learn that nobody is signed in. Also done each minute, for sessions whose end was not announced.
 */
export async function endSessions(app: RealtimeContext, room: SubscriptionRegistry, callers: Caller[]): Promise<void> {
  const withSession = callers.filter(({ sessionId }) => sessionId !== null);
  if (withSession.length === 0) return;
  const live = await app.accounts.liveSessions([...new Set(withSession.map(({ sessionId }) => sessionId!))]);
  const over = withSession.filter(({ sessionId }) => !live.has(sessionId!));
  for (const caller of over)
    if (caller.isPage) caller.end();
    else await endSession(app, room, caller, caller.sessionId!);
}

async function endSession(app: RealtimeContext, room: SubscriptionRegistry, caller: Caller, sessionId: string) {
  const isShut = !caller.withServerKey && (await app.settings.get()).audience === "private";
  const ending = inTurn(caller, async () => {
    // Somebody may have been named meanwhile who is still signed in.
    if (caller.sessionId !== sessionId) return;
    await applyUser(app, room, caller, { viewer: GUEST, sessionId: null, isPage: false, sessionEnded: true, isShut });
  });
  await ending.catch((error: unknown) => app.log.warn({ err: error }, "listeners of an ended session could not be told: they are cut off"));
}

/** The community has become private: guests are told so and cut off. Once it is public again, those who stayed are let in. */
export async function askGuestsAgain(app: RealtimeContext, room: SubscriptionRegistry): Promise<void> {
  const isShut = (await app.settings.get()).audience === "private";
  for (const caller of room.callers)
    if (caller.viewer.role === "guest" && !caller.withServerKey && caller.isShut !== isShut)
      await inTurn(caller, async () => {
        if (caller.viewer.role !== "guest" || caller.isShut === isShut) return;
        const { viewer, sessionId, isPage, sessionEnded } = caller;
        await applyUser(app, room, caller, { viewer, sessionId, isPage, sessionEnded, isShut });
        if (isShut) caller.end();
      });
}
