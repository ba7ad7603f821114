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

/** Wrong keys per minute from one address. */
const WRONG = { points: 100, seconds: 60 };
/** Thirty searches a minute, typed letter by letter in every index at once; a guest's address gets half. */
const QUESTIONS = { member: { points: 1_200, seconds: 60 }, guest: { points: 600, seconds: 60 } };

export type KeyHouse = {
  accounts: Pick<Accounts, "sessionById">;
  settings: Settings;
  limits: Limits;
  appId: string;
  searchKey: string;
  serverKey: string;
  viewersKey: string;
  /** Origin of the community's pages. */
  origin: () => string;
  now: () => Date;
};

/** Every key may search. An operator's key also reads index contents and settings, as guests see them. */
const SEARCHES = ["search"] as const;
const READS = ["search", "browse", "settings", "listIndexes"] as const;
export type Right = (typeof READS)[number];

/** The caller, and the restrictions of the key. */
export type Caller = {
  viewer: Viewer;
  key: string;
  /** Permissions of the key, in the protocol's terms. */
  acl: readonly Right[];
  /** Parameters that override the request. */
  forced: Record<string, string>;
  /** The only allowed indices; null for all. */
  indices: string[] | null;
  /** Unix seconds; 0 for a key without expiry. */
  validUntil: number;
  /** Origin of the community's pages. */
  origin: string;
};

/**
 * Parent of viewer keys. It never leaves the server, so that only the server creates them. The public search
 * key creates keys with guest access.
 */
export const viewersKeyOf = (seal: Buffer) => createHmac("sha256", seal).update("search keys of viewers").digest("hex");

const KEY_LASTS = 12 * HOUR;

/**
 * Creates a viewer's key: it searches as the session's person, while the session lives and for half a day at
 * most.
 */
export function viewerKeys(seal: Buffer, now: () => Date): (sessionId: string) => string {
  const parent = viewersKeyOf(seal);
  return (session) => deriveKey(parent, { session, validUntil: String(Math.floor((now().getTime() + KEY_LASTS) / 1_000)) });
}

/** Names in a key that define who may use it and where; the rest are parameters. */
const ABOUT_THE_KEY = ["validUntil", "restrictIndices", "restrictSources", "userToken", "session"];

/**
 * Identifies the caller by headers or query string.
 * @throws 403 for a wrong app or key, an expired one, and guests where they are not admitted; `too-many`
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

/**
 * Charges a call's queries to the rate limit.
 * @throws `too-many`
 */
export function pay({ limits }: KeyHouse, { viewer }: Caller, address: string, questions: number): Promise<void> {
  if (viewer.id === null) return limits.take("search-guest", QUESTIONS.guest, networkOf(address), questions);
  return limits.take("search", QUESTIONS.member, viewer.id, questions);
}

/** @throws 403 for what the key does not permit */
export function assertMay({ acl }: Caller, right: Right): void {
  if (!acl.includes(right)) throw notAllowed();
}

/** @throws 403 for an index the key does not open */
export function assertOpens({ indices }: Caller, index: string): void {
  if (indices !== null && !indices.includes(index)) throw new Fault(403, "Index not allowed with this API key");
}

/**
 * Clients identify themselves in headers or, where that would cost a browser a preflight, in the query
 * string.
 */
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

/** A viewer's key lives as long as its session. */
const viewerOf = async ({ accounts }: KeyHouse, sessionId: string) =>
  isId(sessionId) ? ((await accounts.sessionById(sessionId))?.viewer ?? null) : null;
