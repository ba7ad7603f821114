import type { FastifyRequest } from "fastify";
import { clientNetwork } from "#platform/client-address";
import type { Caller } from "./rest-caller.ts";
import type { RestContext } from "./rest-route.ts";

const WINDOW_SECONDS = 300;

/**
 * Takes one call from the quota of a session, or of an address without one, per five minutes; the server key
 * is unlimited.
 */
export async function countCall(
  app: Pick<RestContext, "settings" | "limits">,
  { key, viewer, session }: Caller,
  { ip }: FastifyRequest,
): Promise<void> {
  if (key === "server") return;
  const { apiCalls, apiCallsOfPerson } = await app.settings.get();
  // The limit is part of the key, so that a changed setting starts a new counter.
  const take = (points: number, of: string, who: string) =>
    points > 0 ? app.limits.take(`${of}:${points}`, { points, seconds: WINDOW_SECONDS }, who) : undefined;
  await take(apiCalls, "api-calls", session?.id ?? clientNetwork(ip));
  if (viewer.id !== null) await take(apiCallsOfPerson, "api-calls-of-person", viewer.id);
}

/** Purchase checks call the store: thirty a minute per session or address. */
export async function countPurchaseCall(
  app: Pick<RestContext, "limits">,
  { key, session }: Caller,
  { ip }: FastifyRequest,
): Promise<void> {
  if (key !== "server")
    await app.limits.take("purchases", { points: 30, seconds: 60 }, session?.id ?? clientNetwork(ip));
}

/** Device registrations: sixty a minute per session or address. */
export async function countDeviceCall(
  app: Pick<RestContext, "limits">,
  { key, session }: Caller,
  { ip }: FastifyRequest,
): Promise<void> {
  if (key !== "server")
    await app.limits.take("devices", { points: 60, seconds: 60 }, session?.id ?? clientNetwork(ip));
}

/** Calls that one session or address may leave for later, per five minutes. */
export const DEFERRED_CALLS = 500;

/** A call that runs after the answer takes a place in a queue that all callers share. */
export async function countDeferredCall(
  app: Pick<RestContext, "limits">,
  { key, session }: Caller,
  { ip }: FastifyRequest,
): Promise<void> {
  if (key === "server") return;
  const limit = { points: DEFERRED_CALLS, seconds: WINDOW_SECONDS };
  await app.limits.take("deferred-calls", limit, session?.id ?? clientNetwork(ip));
}

/** Calls with an unknown token count too: their lookup costs the same. */
export async function countUnknownTokenCall(
  app: Pick<RestContext, "settings" | "limits">,
  { ip }: FastifyRequest,
): Promise<void> {
  const { apiCalls } = await app.settings.get();
  if (apiCalls > 0)
    await app.limits.take(
      `api-calls:${apiCalls}`,
      { points: apiCalls, seconds: WINDOW_SECONDS },
      clientNetwork(ip),
    );
}
