import type { FastifyRequest } from "fastify";
import type { Program } from "#community/people";
import { GUEST, isSignedIn, OPERATOR, type Viewer } from "#community/rules";
import type { Happening } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import type { RestHouse, Route } from "./route.ts";

/** Who calls: by the key in the address, and by the token in the header. Cookies never count here. */
export type Caller = {
  /** The client key is public; whoever has the server key acts for this house. */
  key: "client" | "server";
  /** Without a token: a guest with the client key, the operator with the server's. */
  viewer: Viewer;
  /** The session behind the token; null without one. */
  session: { id: string; token: string; createdAt: Date } | null;
  /** System roles, and those that the person was given. */
  roles: readonly string[];
  /** The network address that the call came from; code of the operator's calls without one. */
  address?: string;
};

/** How long a token is taken at its word before it is asked about again, should nobody have told us of its end meanwhile. */
const REMEMBERED = 2_000;
const MOST_REMEMBERED = 10_000;

const BY_KEY = { client: ["JSUser", "RestUser"], server: ["ServerCodeUser"] } as const;

/** Knows callers by their keys and tokens, and remembers for a moment. */
export class Callers {
  readonly #house: RestHouse;
  readonly #keys: Map<string, Caller["key"]>;
  readonly #known = new Map<string, { program: Program; until: number }>();
  /** Counts what may have changed who somebody is: what was read before is not remembered after. */
  #changes = 0;

  constructor(house: RestHouse) {
    this.#house = house;
    // Looked up, not compared letter by letter: a wrong key tells nothing by its time.
    this.#keys = new Map([
      [house.clientKey, "client"],
      [house.serverKey, "server"],
    ]);
  }

  /** Which key this is. Throws for what is none. */
  keyOf(text: string): Caller["key"] {
    const key = this.#keys.get(text);
    if (!key) throw wrongKey();
    return key;
  }

  /**
   * Who makes this request. Throws for a token that stands for nobody, and `not-signed-in` for guests of a private community,
   * unless the route is open to whoever calls.
   */
  async of(key: Caller["key"], request: FastifyRequest, route: Pick<Route, "open" | "forGuests">): Promise<Caller> {
    return { ...(await this.#callerOf(key, request, route)), address: request.ip };
  }

  async #callerOf(key: Caller["key"], { headers }: FastifyRequest, route: Pick<Route, "open" | "forGuests">): Promise<Caller> {
    const open = route.open ?? false;
    const admitsGuests = open || (route.forGuests ?? false);
    const token = headers["user-token"];
    const program = typeof token === "string" && token !== "" ? await this.#programOf(token) : null;
    if (program) return this.#admitted(callerOf(key, token as string, program), admitsGuests);
    if (token !== undefined && token !== "" && !open) throw unknownToken(String(token));
    return this.#admitted(nobody(key), admitsGuests);
  }

  /** Something happened that may change who somebody is. */
  happened({ type }: Happening): void {
    if (/^(person|role|backend)\./.test(type)) this.forget();
  }

  forget(): void {
    this.#changes++;
    this.#known.clear();
  }

  async #programOf(token: string): Promise<Program | null> {
    const now = performance.now();
    const known = this.#known.get(token);
    if (known && known.until > now) return known.program;
    const before = this.#changes;
    const program = await this.#house.accounts.programFor(token.slice(0, 200));
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    if (program && before === this.#changes) this.#known.set(token, { program, until: now + REMEMBERED });
    else this.#known.delete(token);
    return program;
  }

  async #admitted(caller: Caller, admitsGuests: boolean): Promise<Caller> {
    if (admitsGuests || caller.key === "server" || isSignedIn(caller.viewer)) return caller;
    if ((await this.#house.settings.get()).audience === "private")
      throw new Refusal("not-signed-in", "This community is for its members. Please sign in.");
    return caller;
  }
}

/** Who calls without a token. */
export const nobody = (key: Caller["key"]): Caller => ({
  key,
  viewer: key === "server" ? OPERATOR : GUEST,
  session: null,
  roles: [...BY_KEY[key], "NotAuthenticatedUser"],
});

const callerOf = (key: Caller["key"], token: string, { viewer, session, roles }: Program): Caller => ({
  key,
  viewer,
  session: { id: session.id, token, createdAt: session.createdAt },
  roles: [...BY_KEY[key], ...roles],
});

/** Who is spoken for without a session of theirs. */
export const somebody = (key: Caller["key"], { viewer, roles }: Pick<Program, "viewer" | "roles">): Caller => ({
  key,
  viewer,
  session: null,
  roles: [...BY_KEY[key], ...roles],
});

export const wrongKey = () =>
  new Refusal("not-allowed", "This is not an application id and a key of this community.", { kind: "wrong-key" });

/** The client takes this number as a sign to forget the token. */
const unknownToken = (token: string) =>
  new Refusal("not-signed-in", `Not existing user token - ${token.slice(0, 100)}. Relogin user to update your user token`, {
    kind: "token-unknown",
  });
