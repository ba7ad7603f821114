import type { FastifyRequest } from "fastify";
import { findApiIdentity, findTokenIdentity, isAccessToken, type TokenIdentity } from "#community/accounts";
import { closedToTokens } from "#community/common";
import { GUEST, isSignedIn, OPERATOR, type Viewer } from "#community/rules";
import type { DomainEvent } from "#platform/outbox";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { RestContext, Route } from "./rest-route.ts";

/**
 * The caller of a request, identified by the key in the path and the token in the header: that of a session,
 * or a personal access token. Cookies are ignored.
 */
export type Caller = {
  /** The client key is public; the server key has the site's rights. */
  key: "client" | "server";
  /** Without a token: a guest with the client key, the operator with the server key. */
  viewer: Viewer;
  /** The session, or the personal access token, that identifies the person; null for others. */
  session: { id: string; token: string; createdAt: Date } | null;
  /** System roles and assigned roles. */
  roles: readonly string[];
  /** Network address of the call; undefined for calls by code of the operator. */
  address?: string;
};

/** Milliseconds for which a token is cached if no event ends it earlier. */
const CACHE_TTL = 2_000;
const MAX_CACHED = 10_000;

const KEY_ROLES = { client: ["JSUser", "RestUser"], server: ["ServerCodeUser"] } as const;

/** Resolves callers by key and token, with a short cache. */
export class Callers {
  readonly #app: Pick<RestContext, "database" | "settings" | "now">;
  readonly #keys: Map<string, Caller["key"]>;
  readonly #known = new Map<string, { program: TokenIdentity; until: number }>();
  /** Counts events that may change a caller. A lookup that began before the latest event is not cached. */
  #changes = 0;

  constructor(app: Pick<RestContext, "database" | "settings" | "now" | "clientKey" | "serverKey">) {
    this.#app = app;
    // Keys are looked up in a map instead of compared, so that the duration reveals nothing about a key.
    this.#keys = new Map([
      [app.clientKey, "client"],
      [app.serverKey, "server"],
    ]);
  }

  /**
   * Returns the kind of a key.
   * @throws for an unknown one
   */
  keyOf(text: string): Caller["key"] {
    const key = this.#keys.get(text);
    if (!key) throw wrongKeyRefusal();
    return key;
  }

  /**
   * Resolves the caller of a request.
   * @throws for an unknown token, and `not-signed-in` for guests of a private community unless the route is
   * open
   */
  async of(key: Caller["key"], request: CallerRequest, route: AdmittedCallers): Promise<Caller> {
    return { ...(await this.#callerOf(key, request, route)), address: request.ip };
  }

  async #callerOf(
    key: Caller["key"],
    { headers, ip }: CallerRequest,
    route: AdmittedCallers,
  ): Promise<Caller> {
    const open = route.open ?? false;
    const admitsGuests = open || (route.forGuests ?? false);
    const token = readToken(headers);
    if (isAccessToken(token)) assertTokenAdmitted(key, route);
    const program = token === "" ? null : await this.#programOf(token, ip);
    if (program) return this.#admitted(toCaller(key, token, program), admitsGuests);
    if (token !== "" && !open) throw unknownTokenRefusal(token);
    return this.#admitted(anonymousCaller(key), admitsGuests);
  }

  /** Drops cached callers that an event may have changed. */
  happened({ type }: DomainEvent): void {
    if (/^(person|role|backend)\./.test(type)) this.forget();
  }

  forget(): void {
    this.#changes++;
    this.#known.clear();
  }

  async #programOf(token: string, address: string): Promise<TokenIdentity | null> {
    const now = performance.now();
    const known = this.#known.get(token);
    if (known && known.until > now) return known.program;
    const before = this.#changes;
    const program = isAccessToken(token)
      ? await findTokenIdentity(this.#app, token, address)
      : await findApiIdentity(this.#app, token.slice(0, 200));
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    if (program && before === this.#changes) this.#known.set(token, { program, until: now + CACHE_TTL });
    else this.#known.delete(token);
    return program;
  }

  async #admitted(caller: Caller, admitsGuests: boolean): Promise<Caller> {
    if (admitsGuests || caller.key === "server" || isSignedIn(caller.viewer)) return caller;
    if ((await this.#app.settings.get()).audience === "private")
      throw new Refusal("not-signed-in", "This community is for members only. Sign in.");
    return caller;
  }
}

type CallerRequest = Pick<FastifyRequest, "headers" | "ip">;
type AdmittedCallers = Pick<Route, "open" | "forGuests" | "forTokens">;

/**
 * The token of a request; empty without one. Personal access tokens may also be sent as `Authorization:
 * Bearer`; other values of that header are ignored.
 */
function readToken(headers: FastifyRequest["headers"]): string {
  const token = headers["user-token"];
  if (token !== undefined && token !== "") return String(token);
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return isAccessToken(bearer) ? bearer : "";
}

/**
 * Refuses personal access tokens on routes that are not open to them, and together with the server key, whose
 * rights no scope limits.
 */
function assertTokenAdmitted(key: Caller["key"], { forTokens = false }: AdmittedCallers): void {
  if (!forTokens || key === "server") throw closedToTokens();
}

/** A caller without a token. */
export const anonymousCaller = (key: Caller["key"]): Caller => ({
  key,
  viewer: key === "server" ? OPERATOR : GUEST,
  session: null,
  roles: [...KEY_ROLES[key], "NotAuthenticatedUser"],
});

const toCaller = (key: Caller["key"], token: string, { viewer, session, roles }: TokenIdentity): Caller => ({
  key,
  viewer,
  session: { id: session.id, token, createdAt: session.createdAt },
  roles: [...KEY_ROLES[key], ...roles],
});

/** A caller who acts for a person without a session. */
export const createPersonCaller = (
  key: Caller["key"],
  { viewer, roles }: Pick<TokenIdentity, "viewer" | "roles">,
): Caller => ({
  key,
  viewer,
  session: null,
  roles: [...KEY_ROLES[key], ...roles],
});

export const wrongKeyRefusal = () =>
  new Refusal("not-allowed", "The application id or key is not valid.", {
    kind: "wrong-key",
  });

/** Refusal of an unknown token. A client that gets its code drops the token. */
const unknownTokenRefusal = (token: string) =>
  new Refusal(
    "not-signed-in",
    msg("Not existing user token - {token}. Relogin user to update your user token", {
      token: token.slice(0, 100),
    }),
    {
      kind: "token-unknown",
    },
  );
