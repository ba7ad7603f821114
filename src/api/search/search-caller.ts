import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { isAccessToken, type SessionIdentity, type TokenIdentity } from "#community/accounts";
import { GUEST, type Viewer } from "#community/rules";
import type { Settings } from "#community/settings";
import { clientNetwork } from "#platform/client-address";
import { HOUR } from "#platform/clock";
import { isId, isSameSecret } from "#platform/ids";
import type { Limits } from "#platform/limits";
import { isObject } from "#platform/objects";
import { SearchApiError, notAllowedError } from "./search-api-error.ts";
import { deriveKey, isAllowedSource, readKeyList, readDerivedKey } from "./search-keys.ts";

/** Maximum requests with a wrong key per minute from one address. */
const WRONG_KEY_LIMIT = { points: 100, seconds: 60 };
/**
 * Maximum queries per minute: enough for thirty searches, each typed letter by letter in every index at once.
 * All guests of one address together get half.
 */
const QUERY_LIMITS = { member: { points: 1_200, seconds: 60 }, guest: { points: 600, seconds: 60 } };

export type SearchKeyContext = {
  findSession: (sessionId: string) => Promise<SessionIdentity | null>;
  findToken: (token: string, address: string) => Promise<TokenIdentity | null>;
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

/**
 * Permission of every key. An operator's key may also read index contents and settings, as guests see them.
 */
const SEARCH_ACL = ["search"] as const;
const READ_ACL = ["search", "browse", "settings", "listIndexes"] as const;
export type KeyPermission = (typeof READ_ACL)[number];

/** A caller, and the restrictions of its key. */
export type Caller = {
  viewer: Viewer;
  key: string;
  /** Id of the personal access token that was sent as the key; null for other keys. */
  tokenId: string | null;
  /** Permissions of the key, named as in the protocol. */
  acl: readonly KeyPermission[];
  /** Parameters of the key, which override those of the request. */
  forced: Record<string, string>;
  /** The only indices that the key may use; null for all. */
  indices: string[] | null;
  /** Unix seconds; 0 for a key without expiry. */
  validUntil: number;
  /** Origin of the community's pages. */
  origin: string;
};

/**
 * Parent key of viewer keys. It never leaves the server, so that only the server can create them. Keys
 * derived from the public search key have guest access.
 */
export const createViewerKeyParent = (seal: Buffer) =>
  createHmac("sha256", seal).update("search keys of viewers").digest("hex");

const KEY_LIFETIME = 12 * HOUR;

/**
 * Returns a function that creates keys of viewers. Such a key searches as the session's person while the
 * session is valid, for half a day at most.
 */
export function createViewerKeys(seal: Buffer, now: () => Date): (sessionId: string) => string {
  const parent = createViewerKeyParent(seal);
  return (session) =>
    deriveKey(parent, { session, validUntil: String(Math.floor((now().getTime() + KEY_LIFETIME) / 1_000)) });
}

/** Parameters of a key that restrict who may use it, where and how long; all others are search parameters. */
const KEY_PARAMS = ["validUntil", "restrictIndices", "restrictSources", "userToken", "session"];

/**
 * Identifies the caller by headers or query string.
 * @throws 403 for a wrong app id, a wrong or expired key, and guests of a private community; `too-many`
 */
export async function readSearchCaller(app: SearchKeyContext, request: FastifyRequest): Promise<Caller> {
  const { appId, key } = readCredentials(request);
  const caller = isSameSecret(appId, app.appId) ? await findKey(app, request.ip, key) : null;
  if (!caller) {
    await app.limits.take("search-wrong-key", WRONG_KEY_LIMIT, clientNetwork(request.ip));
    throw new SearchApiError(403, "Invalid Application-ID or API key");
  }
  if (caller.viewer.id === null && (await app.settings.get()).audience === "private")
    throw new SearchApiError(403, "This community is for members only: this key has no access");
  return { ...caller, origin: app.origin() };
}

/**
 * Counts the queries of a call against the rate limit.
 * @throws `too-many`
 */
export function chargeQueries(
  { limits }: SearchKeyContext,
  { viewer }: Caller,
  address: string,
  questions: number,
): Promise<void> {
  if (viewer.id === null)
    return limits.take("search-guest", QUERY_LIMITS.guest, clientNetwork(address), questions);
  return limits.take("search", QUERY_LIMITS.member, viewer.id, questions);
}

/**
 * Refuses callers whose key lacks a permission.
 * @throws 403
 */
export function assertPermission({ acl }: Caller, right: KeyPermission): void {
  if (!acl.includes(right)) throw notAllowedError();
}

/**
 * Refuses callers whose key does not allow an index.
 * @throws 403
 */
export function assertIndexAllowed({ indices }: Caller, index: string): void {
  if (indices !== null && !indices.includes(index))
    throw new SearchApiError(403, "Index not allowed with this API key");
}

/**
 * Reads app id and key from the headers, or from the query string, which clients use where headers would
 * make a browser send a preflight request.
 */
function readCredentials({ headers, query }: FastifyRequest): { appId: string; key: string } {
  const params = Object.fromEntries(
    Object.entries(isObject(query) ? query : {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const readParam = (name: string) => {
    const value = headers[name] ?? params[name];
    return typeof value === "string" ? value : "";
  };
  return { appId: readParam("x-algolia-application-id"), key: readParam("x-algolia-api-key") };
}

const GUEST_KEY = { viewer: GUEST, tokenId: null, forced: {}, indices: null, validUntil: 0 };

async function findKey(
  app: SearchKeyContext,
  address: string,
  key: string,
): Promise<Omit<Caller, "origin"> | null> {
  if (isSameSecret(key, app.searchKey)) return { ...GUEST_KEY, key, acl: SEARCH_ACL };
  if (isSameSecret(key, app.serverKey)) return { ...GUEST_KEY, key, acl: READ_ACL };
  if (isAccessToken(key)) {
    const identity = await app.findToken(key, address);
    if (!identity) return null;
    return { ...GUEST_KEY, viewer: identity.viewer, tokenId: identity.session.id, key, acl: SEARCH_ACL };
  }
  const derived = readDerivedKey({ search: app.searchKey, viewers: app.viewersKey }, key);
  if (!derived) return null;
  const { parent, restrictions } = derived;
  const validUntil = Number(restrictions.get("validUntil") ?? 0);
  if (!(validUntil >= 0) || (validUntil > 0 && validUntil * 1_000 <= app.now().getTime())) return null;
  const sources = readKeyList(restrictions, "restrictSources");
  if (sources && !isAllowedSource(sources, address)) return null;
  const viewer = parent === "viewers" ? await findViewer(app, restrictions.get("session") ?? "") : GUEST;
  if (!viewer) return null;
  const forced = Object.fromEntries([...restrictions].filter(([name]) => !KEY_PARAMS.includes(name)));
  return {
    viewer,
    tokenId: null,
    key,
    acl: SEARCH_ACL,
    forced,
    indices: readKeyList(restrictions, "restrictIndices"),
    validUntil,
  };
}

/** Finds the viewer of a key; the key is valid only as long as its session. */
const findViewer = async ({ findSession }: SearchKeyContext, sessionId: string) =>
  isId(sessionId) ? ((await findSession(sessionId))?.viewer ?? null) : null;
