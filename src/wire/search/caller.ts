import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Accounts } from "#community/people";
import { GUEST, type Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import { networkOf } from "#platform/client-address";
import { HOUR } from "#platform/clock";
import { isId, sameSecret } from "#platform/ids";
import type { Limits } from "#platform/limits";
import { Fault, notAllowed } from "./fault.ts";
import { deriveKey, isAmong, listIn, readDerived } from "./keys.ts";

/** Keys from one address that were wrong, in a minute. */
const WRONG = { points: 100, seconds: 60 };
/** Thirty searches a minute, typed letter by letter in every index at once; a guest's address has half of it. */
const QUESTIONS = { member: { points: 1_200, seconds: 60 }, guest: { points: 600, seconds: 60 } };

export type KeyHouse = {
  accounts: Pick<Accounts, "sessionById">;
  settings: Settings;
  limits: Limits;
  appId: string;
  searchKey: string;
  serverKey: string;
  viewersKey: string;
  /** Where the pages of the community are. */
  origin: () => string;
  now: () => Date;
};

/** Every key searches. The key of an operator's own programs also reads what an index holds and how it is searched, as far as guests see it. */
const SEARCHES = ["search"] as const;
const READS = ["search", "browse", "settings", "listIndexes"] as const;
export type Right = (typeof READS)[number];

/** Who asks, and what their key holds them to. */
export type Caller = {
  viewer: Viewer;
  key: string;
  /** What the key allows, in the words of the protocol. */
  acl: readonly Right[];
  /** Parameters that hold whatever the request says. */
  forced: Record<string, string>;
  /** The only indices that may be asked; null for any. */
  indices: string[] | null;
  /** Unix seconds; 0 for a key without an end. */
  validUntil: number;
  /** Where the pages of the community are. */
  origin: string;
};

/**
 * The parent of the keys of viewers: it never leaves the house, so that only the house makes them. The search key, which everybody
 * may know, makes keys that see what guests see.
 */
export const viewersKeyOf = (seal: Buffer) => createHmac("sha256", seal).update("search keys of viewers").digest("hex");

const KEY_LASTS = 12 * HOUR;

/** Makes the key of a viewer: it searches as whoever the session stands for, until the session ends, and half a day at most. */
export function viewerKeys(seal: Buffer, now: () => Date): (sessionId: string) => string {
  const parent = viewersKeyOf(seal);
  return (session) => deriveKey(parent, { session, validUntil: String(Math.floor((now().getTime() + KEY_LASTS) / 1_000)) });
}

/** Names in a key that say for whom and where it holds; the rest are parameters. */
const ABOUT_THE_KEY = ["validUntil", "restrictIndices", "restrictSources", "userToken", "session"];

/**
 * Whose call this is, by what its head or its address says. Throws 403 for a wrong application or key, one that has ended, and where
 * guests are not let in; `too-many`.
 */
export async function callerOf(house: KeyHouse, request: FastifyRequest): Promise<Caller> {
  const { appId, key } = shownBy(request);
  const caller = sameSecret(appId, house.appId) ? await known(house, request.ip, key) : null;
  if (!caller) {
    await house.limits.take("search-wrong-key", WRONG, networkOf(request.ip));
    throw new Fault(403, "Invalid Application-ID or API key");
  }
  if (caller.viewer.id === null && (await house.settings.get()).audience === "private")
    throw new Fault(403, "This community is for its members: this key sees nothing here");
  return { ...caller, origin: house.origin() };
}

/** Takes what the questions of a call cost. Throws `too-many`. */
export function pay({ limits }: KeyHouse, { viewer }: Caller, address: string, questions: number): Promise<void> {
  if (viewer.id === null) return limits.take("search-guest", QUESTIONS.guest, networkOf(address), questions);
  return limits.take("search", QUESTIONS.member, viewer.id, questions);
}

/** Throws 403 for what the key does not allow. */
export function assertMay({ acl }: Caller, right: Right): void {
  if (!acl.includes(right)) throw notAllowed();
}

/** Throws 403 for an index that the key does not open. */
export function assertOpens({ indices }: Caller, index: string): void {
  if (indices !== null && !indices.includes(index)) throw new Fault(403, "Index not allowed with this API key");
}

/** Clients say who they are in the head or, where that would cost a browser a second request, in the address. */
function shownBy({ headers, query }: FastifyRequest): { appId: string; key: string } {
  const asked = Object.fromEntries(Object.entries(query as Record<string, unknown>).map(([name, value]) => [name.toLowerCase(), value]));
  const said = (name: string) => {
    const value = headers[name] ?? asked[name];
    return typeof value === "string" ? value : "";
  };
  return { appId: said("x-algolia-application-id"), key: said("x-algolia-api-key") };
}

const OPEN = { viewer: GUEST, forced: {}, indices: null, validUntil: 0 };

async function known(house: KeyHouse, address: string, key: string): Promise<Omit<Caller, "origin"> | null> {
  if (sameSecret(key, house.searchKey)) return { ...OPEN, key, acl: SEARCHES };
  if (sameSecret(key, house.serverKey)) return { ...OPEN, key, acl: READS };
  const derived = readDerived({ search: house.searchKey, viewers: house.viewersKey }, key);
  if (!derived) return null;
  const { parent, said } = derived;
  const validUntil = Number(said.get("validUntil") ?? 0);
  if (!(validUntil >= 0) || (validUntil > 0 && validUntil * 1_000 <= house.now().getTime())) return null;
  const sources = listIn(said, "restrictSources");
  if (sources && !isAmong(sources, address)) return null;
  const viewer = parent === "viewers" ? await viewerOf(house, said.get("session") ?? "") : GUEST;
  if (!viewer) return null;
  const forced = Object.fromEntries([...said].filter(([name]) => !ABOUT_THE_KEY.includes(name)));
  return { viewer, key, acl: SEARCHES, forced, indices: listIn(said, "restrictIndices"), validUntil };
}

/** A viewer's key lives as long as the session for which it was made. */
const viewerOf = async ({ accounts }: KeyHouse, sessionId: string) =>
  isId(sessionId) ? ((await accounts.sessionById(sessionId))?.viewer ?? null) : null;
