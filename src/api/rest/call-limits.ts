import type { FastifyRequest } from "fastify";
import { clientNetwork } from "#platform/client-address";
import type { RateLimit } from "#platform/limits";
import type { Caller } from "./rest-caller.ts";
import type { RestContext } from "./rest-route.ts";

const WINDOW_SECONDS = 300;

/** The limit of a token, and what is left of it until its window ends. */
export type CallRateLimit = { limit: number; left: RateLimit };

/** Remaining calls of a token, with the seconds until its whole limit is available again. */
export const rateLimitHeaders = ({ limit, left }: CallRateLimit) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(left.points),
  "ratelimit-reset": String(left.seconds),
});

/** Facts that determine a caller's limits. `session` is the person's session or the access token. */
type CountedCaller = Pick<Caller, "key" | "viewer"> & { session: { id: string } | null };

/**
 * Counts a call against two limits per five minutes: the limit of the session or token (of the address for
 * callers without either), and the limit of the person. Returns the remaining calls of a token, null for
 * other callers. The server key is unlimited.
 */
export async function countCall(
  app: Pick<RestContext, "settings" | "limits">,
  { key, viewer, session }: CountedCaller,
  { ip }: Pick<FastifyRequest, "ip">,
): Promise<CallRateLimit | null> {
  if (key === "server") return null;
  const { apiCalls, apiCallsOfPerson } = await app.settings.get();
  // The limit is part of the key, so that a changed setting starts a new counter.
  const limitOf = (points: number, of: string, who: string) =>
    [`${of}:${points}`, { points, seconds: WINDOW_SECONDS }, who] as const;
  const own = limitOf(apiCalls, "api-calls", session?.id ?? clientNetwork(ip));
  const left = viewer.scopes && apiCalls > 0 ? await app.limits.takeAndCount(...own) : null;
  if (!viewer.scopes && apiCalls > 0) await app.limits.take(...own);
  if (viewer.id !== null && apiCallsOfPerson > 0)
    await app.limits.take(...limitOf(apiCallsOfPerson, "api-calls-of-person", viewer.id));
  return left && { limit: apiCalls, left };
}

/** Counts a purchase check, which makes a request to the store: thirty a minute per session or address. */
export async function countPurchaseCall(
  app: Pick<RestContext, "limits">,
  { key, session }: Caller,
  { ip }: FastifyRequest,
): Promise<void> {
  if (key !== "server")
    await app.limits.take("purchases", { points: 30, seconds: 60 }, session?.id ?? clientNetwork(ip));
}

/** Counts a device registration: sixty a minute per session or address. */
export async function countDeviceCall(
  app: Pick<RestContext, "limits">,
  { key, session }: Caller,
  { ip }: FastifyRequest,
): Promise<void> {
  if (key !== "server")
    await app.limits.take("devices", { points: 60, seconds: 60 }, session?.id ?? clientNetwork(ip));
}

/** Maximum deferred calls per session or address in five minutes. */
export const MAX_DEFERRED_CALLS = 500;

/** Counts a deferred call. All callers share the queue of calls that run after the answer. */
export async function countDeferredCall(
  app: Pick<RestContext, "limits">,
  { key, session }: Caller,
  { ip }: FastifyRequest,
): Promise<void> {
  if (key === "server") return;
  const limit = { points: MAX_DEFERRED_CALLS, seconds: WINDOW_SECONDS };
  await app.limits.take("deferred-calls", limit, session?.id ?? clientNetwork(ip));
}

/** Counts a call with an unknown token, whose lookup costs as much as that of a valid one. */
export async function countUnknownTokenCall(
  app: Pick<RestContext, "settings" | "limits">,
  { ip }: Pick<FastifyRequest, "ip">,
): Promise<void> {
  const { apiCalls } = await app.settings.get();
  if (apiCalls > 0)
    await app.limits.take(
      `api-calls:${apiCalls}`,
      { points: apiCalls, seconds: WINDOW_SECONDS },
      clientNetwork(ip),
    );
}
