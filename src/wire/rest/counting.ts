import type { FastifyRequest } from "fastify";
import { networkOf } from "#platform/client-address";
import type { Caller } from "./caller.ts";
import type { RestHouse } from "./route.ts";

const SECONDS = 300;

/**
 * Takes one call from the quota of a session, or of an address without one, per five minutes; the server key
 * is unlimited.
 */
export async function countCall(house: RestHouse, { key, viewer, session }: Caller, { ip }: FastifyRequest): Promise<void> {
  if (key === "server") return;
  const { apiCalls, apiCallsOfPerson } = await house.settings.get();
  // The limit is part of the key, so that a changed setting starts a new counter.
  const take = (points: number, of: string, who: string) =>
    points > 0 ? house.limits.take(`${of}:${points}`, { points, seconds: SECONDS }, who) : undefined;
  await take(apiCalls, "api-calls", session?.id ?? networkOf(ip));
  if (viewer.id !== null) await take(apiCallsOfPerson, "api-calls-of-person", viewer.id);
}

/** Purchase checks call the store: thirty a minute per session or address. */
export async function countPurchases(house: RestHouse, { key, session }: Caller, { ip }: FastifyRequest): Promise<void> {
  if (key !== "server") await house.limits.take("purchases", { points: 30, seconds: 60 }, session?.id ?? networkOf(ip));
}

/** Device registrations: sixty a minute per session or address. */
export async function countDevices(house: RestHouse, { key, session }: Caller, { ip }: FastifyRequest): Promise<void> {
  if (key !== "server") await house.limits.take("devices", { points: 60, seconds: 60 }, session?.id ?? networkOf(ip));
}

/** Calls with an unknown token count too: their lookup costs the same. */
export async function countStranger(house: RestHouse, { ip }: FastifyRequest): Promise<void> {
  const { apiCalls } = await house.settings.get();
  if (apiCalls > 0) await house.limits.take(`api-calls:${apiCalls}`, { points: apiCalls, seconds: SECONDS }, networkOf(ip));
}
