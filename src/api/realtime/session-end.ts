import { GUEST } from "#community/rules";
import { changeConnectionUser, queueUserChange } from "./user-change.ts";
import type { Caller } from "./realtime-caller.ts";
import type { RealtimeContext, SubscriptionRegistry } from "./subscription-registry.ts";
import { filterLiveSessions } from "#community/accounts";

/**
 * Turns callers whose session has ended into guests. Subscriptions that guests may not have are closed with
 * an error. The connection stays open, because a disconnected client would reconnect endlessly with the same
 * token. Our own pages are disconnected: they reconnect with a new ticket, or find out that the person is
 * signed out. Also runs every minute, in case the end of a session was not announced.
 */
export async function endSessions(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "log" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  callers: Caller[],
): Promise<void> {
  const withSession = callers.filter(({ sessionId }) => sessionId !== null);
  if (withSession.length === 0) return;
  const live = await filterLiveSessions(app, [...new Set(withSession.map(({ sessionId }) => sessionId!))]);
  const over = withSession.filter(({ sessionId }) => !live.has(sessionId!));
  for (const caller of over)
    if (caller.isPage) caller.end();
    else await endSession(app, subscriptions, caller, caller.sessionId!);
}

async function endSession(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "log" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  caller: Caller,
  sessionId: string,
) {
  const isLockedOut = !caller.withServerKey && (await app.settings.get()).audience === "private";
  const ending = queueUserChange(caller, async () => {
    // The client may have sent the token of another session in the meantime.
    if (caller.sessionId !== sessionId) return;
    await changeConnectionUser(app, subscriptions, caller, {
      viewer: GUEST,
      sessionId: null,
      isPage: false,
      sessionEnded: true,
      isLockedOut,
    });
  });
  await ending.catch((error: unknown) =>
    app.log.warn(
      { err: error },
      "listeners of an ended session could not be notified: they are disconnected",
    ),
  );
}

/**
 * Applies a change between private and public. A private community closes the subscriptions of guests with
 * an error and disconnects them; a public one admits guests who are still connected.
 */
export async function recheckGuests(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
): Promise<void> {
  const isLockedOut = (await app.settings.get()).audience === "private";
  for (const caller of subscriptions.callers)
    if (caller.viewer.role === "guest" && !caller.withServerKey && caller.isLockedOut !== isLockedOut)
      await queueUserChange(caller, async () => {
        if (caller.viewer.role !== "guest" || caller.isLockedOut === isLockedOut) return;
        const { viewer, sessionId, isPage, sessionEnded } = caller;
        await changeConnectionUser(app, subscriptions, caller, {
          viewer,
          sessionId,
          isPage,
          sessionEnded,
          isLockedOut,
        });
        if (isLockedOut) caller.end();
      });
}
