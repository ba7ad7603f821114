import * as oidc from "openid-client";
import { Refusal } from "#platform/refusal";
import type { Claims } from "../identities.ts";

/** Another house whose accounts are welcome here, in one of three ways to ask it. `at` stands for its own addresses in tests. */
export type SignInProvider =
  | (Credentials & { kind: "openid"; issuer: string })
  | (Credentials & { kind: "facebook" | "twitter"; at?: string });

type Credentials = {
  name: string;
  clientId: string;
  clientSecret: string;
  /**
   * Whether somebody from there signs in to the account that has their address, without having signed in to it first.
   * Whoever runs such a provider can sign in as every member, so that the admin has to allow it.
   */
  linksByEmail?: boolean;
};

/** What the browser keeps while somebody is away, sealed. */
export type Kept = Record<string, string>;

export type Provider = {
  name: string;
  linksByEmail: boolean;
  /** Where somebody is sent, to come back to `callback`. Throws `unavailable`. */
  begin: (callback: string) => Promise<{ redirectTo: URL; kept: Kept }>;
  /** Who came back, with what stands in the address of their coming. Throws `not-allowed`, `invalid`, `unavailable`. */
  finish: (came: URL, kept: Kept) => Promise<Claims>;
  /** Whose token it is, if the house says that it was made for us; a secret belongs to it in the way of OAuth 1. Throws `not-allowed`, `unavailable`. */
  vouch: (token: string, secret: string | null) => Promise<Claims>;
};

export const SECONDS_TO_ANSWER = 8;

export const away = (name: string) =>
  new Refusal("unavailable", `${name} does not answer at the moment. Please try again later, or sign in another way.`, { retryAfter: 30 });

export const notVouched = (name: string) =>
  new Refusal("not-allowed", `${name} does not say that this token was made for this community.`, { kind: "provider-failed" });

export const strayed = () => new Refusal("invalid", "That sign-in does not fit what was begun in this browser. Please start once more.");

export const turnedDown = (name: string) =>
  new Refusal("not-allowed", `${name} was not allowed to tell us who you are. Nothing has changed.`);

/** OAuth 2 knows none; whoever sends one has mistaken the house. */
export function mindNoSecret(name: string, secret: string | null): void {
  if (secret !== null)
    throw new Refusal("invalid", `${name} is asked in the way of OAuth 2, which knows no secret of a token.`, { kind: "provider-failed" });
}

/** What went wrong on the way back, as whoever came can be told. */
export function refusalOf(error: unknown, name: string): Refusal {
  if (error instanceof oidc.AuthorizationResponseError && error.error === "access_denied") return turnedDown(name);
  return isTheirs(error) ? away(name) : strayed();
}

/** A lost line, a house in trouble, or one that does not accept us: nothing the person could put right. */
export const isTheirs = (error: unknown): boolean =>
  error instanceof TypeError ||
  (error instanceof Error && error.name === "TimeoutError") ||
  (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT") ||
  (error instanceof oidc.ResponseBodyError && error.error !== "invalid_grant");

/** Names that a house has for what it says of somebody, so many at most, and so long a text. */
const MOST_TOLD = 100;
const LONGEST_TOLD = 2_000;

/** What can be kept of it: texts, numbers, yes and no. */
export const toldIn = (said: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(said)
      .filter(([, it]) => ["number", "boolean"].includes(typeof it) || (typeof it === "string" && it.length <= LONGEST_TOLD))
      .slice(0, MOST_TOLD),
  );

export const text = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value.trim() : null);

/** Without https a secret would travel in the open; on one's own machine nobody listens. */
export const isOwnMachine = (address: string): boolean => ["127.0.0.1", "[::1]", "localhost"].includes(new URL(address).hostname);
