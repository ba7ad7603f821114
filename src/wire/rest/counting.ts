import type { FastifyRequest } from "fastify";
import { networkOf } from "#platform/client-address";
import type { Caller } from "./caller.ts";
import type { RestHouse } from "./route.ts";

const SECONDS = 300;

/** Takes one of the calls that a session, or an address without one, has in five minutes; the server key has as many as it likes. */
export async function countCall(house: RestHouse, { key, viewer, session }: Caller, { ip }: FastifyRequest): Promise<void> {
  if (key === "server") return;
  const { apiCalls, apiCallsOfPerson } = await house.settings.get();
  // The number stands in the name: a changed setting begins a counter of its own.
  const take = (points: number, of: string, who: string) =>
    points > 0 ? house.limits.take(`${of}:${points}`, { points, seconds: SECONDS }, who) : undefined;
  await take(apiCalls, "api-calls", session?.id ?? networkOf(ip));
  if (viewer.id !== null) await take(apiCallsOfPerson, "api-calls-of-person", viewer.id);
}

/** Asking a store costs more than asking us: thirty a minute, by a session or an address. */
export async function countPurchases(house: RestHouse, { key, session }: Caller, { ip }: FastifyRequest): Promise<void> {
  if (key !== "server") await house.limits.take("purchases", { points: 30, seconds: 60 }, session?.id ?? networkOf(ip));
}

/** What somebody does to devices that are told of things later: sixty a minute, by a session or an address. */
export async function countDevices(house: RestHouse, { key, session }: Caller, { ip }: FastifyRequest): Promise<void> {
  if (key !== "server") await house.limits.take("devices", { points: 60, seconds: 60 }, session?.id ?? networkOf(ip));
}

/** The same for a call with a token that stands for nobody: looking it up costs as much as one that does. */
export async function countStranger(house: RestHouse, { ip }: FastifyRequest): Promise<void> {
  const { apiCalls } = await house.settings.get();
  if (apiCalls > 0) await house.limits.take(`api-calls:${apiCalls}`, { points: apiCalls, seconds: SECONDS }, networkOf(ip));
}
