import * as oidc from "openid-client";
import { MINUTE } from "#platform/clock";
import { maybeOne, run, sql } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import type { Door, From, ProviderSignIn, SignIn } from "./door.ts";
import { enter, type Owner, ownerColumns, type Way } from "./enter.ts";
import type { House } from "./house.ts";
import { type Claims, comeFrom, linkIdentity } from "./identities.ts";
import { away, type Provider } from "./providers.ts";
import { SignInRefusal } from "./states.ts";

const LASTS = 10 * MINUTE;

/** What the browser keeps while somebody is away at the other house. */
type Remembered = { provider: string; state: string; nonce: string; verifier: string; returnTo: string; linkTo: string | null };

export async function beginProviderSignIn(house: House, name: string, returnTo: string, linkTo?: SignedIn, door: Door = "web") {
  const provider = providerOf(house, name);
  const configuration = await provider.configuration();
  const remembered: Remembered = {
    provider: name,
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    returnTo,
    linkTo: linkTo?.id ?? null,
  };
  const redirectTo = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(house, name, door),
    scope: "openid email profile",
    state: remembered.state,
    nonce: remembered.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(remembered.verifier),
    code_challenge_method: "S256",
  });
  return { redirectTo: redirectTo.href, remember: house.sealer.seal("provider", remembered, house.now()) };
}

/** Where the other house sends people back to: pages and programs have an address each. */
const callbackOf = (house: House, name: string, door: Door) =>
  `${house.origin()}${door === "web" ? "/login/from" : "/api/users/social/return"}/${encodeURIComponent(name)}`;

function providerOf(house: House, name: string): Provider {
  const provider = house.providers.get(name);
  if (!provider) throw notFound();
  return provider;
}

export async function finishProviderSignIn(
  house: House,
  name: string,
  callbackUrl: string,
  remember: string,
  from: From,
  door: Door,
): Promise<ProviderSignIn> {
  const provider = providerOf(house, name);
  const begun = house.sealer.unseal<Remembered>("provider", remember, house.now(), LASTS);
  if (!begun || begun.provider !== name) throw strayed();
  const claims = await claimsOf(house, provider, callbackUrl, begun, door);
  const { returnTo, linkTo } = begun;
  if (linkTo) {
    await linkIdentity(house, linkTo, name, claims);
    return { kind: "linked", returnTo };
  }
  return { ...(await enterFrom(house, name, claims, { stay: true, from, door })), returnTo };
}

type Came = SignIn | { kind: "confirm-address"; pending: string } | { kind: "awaiting-approval" };

async function enterFrom(house: House, name: string, claims: Claims, way: Way): Promise<Came> {
  const came = await comeFrom(house, name, claims, way.from);
  if (came.kind === "confirm-address") return came;
  const owner = (await maybeOne(house.database.db, sql<Owner>`select ${ownerColumns} from people where id = ${came.personId}`))!;
  try {
    return await enter(house, owner, way);
  } catch (refusal) {
    if (refusal instanceof SignInRefusal && refusal.state === "pending_approval" && came.isNew) return { kind: "awaiting-approval" };
    throw refusal;
  }
}

/**
 * Signs a program's user in by a token that the other house has given to that program. The house has to say that the token was
 * made for this community: one that was made for somebody else's program would sign its users in here. `not-allowed` otherwise.
 */
export async function signInWithToken(house: House, name: string, accessToken: string, from: From): Promise<Came> {
  const provider = providerOf(house, name);
  const configuration = await provider.configuration();
  if (!configuration.serverMetadata().introspection_endpoint) throw notVouched(name);
  try {
    const said = await oidc.tokenIntrospection(configuration, accessToken);
    if (!said.active || said.client_id !== configuration.clientMetadata().client_id) throw notVouched(name);
    const claims = readClaims(await oidc.fetchUserInfo(configuration, accessToken, said.sub ?? oidc.skipSubjectCheck));
    return await enterFrom(house, name, claims, { stay: true, from, door: "wire" });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw isTheirs(error) ? away(name) : notVouched(name);
  }
}

const notVouched = (name: string) =>
  new Refusal("not-allowed", `${name} does not say that this token was made for this community.`, { kind: "provider-failed" });

const strayed = () => new Refusal("invalid", "That sign-in does not fit what was begun in this browser. Please start once more.");

async function claimsOf(house: House, provider: Provider, callbackUrl: string, begun: Remembered, door: Door): Promise<Claims> {
  const configuration = await provider.configuration();
  // Behind a proxy the request may have come by another name; what was asked for is our public address.
  const url = new URL(callbackOf(house, provider.name, door));
  url.search = new URL(callbackUrl).search;
  try {
    const checks = { pkceCodeVerifier: begun.verifier, expectedState: begun.state, expectedNonce: begun.nonce, idTokenExpected: true };
    const tokens = await oidc.authorizationCodeGrant(configuration, url, checks);
    const claims = tokens.claims()!;
    const more = claims["email"] === undefined ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    return readClaims({ ...more, ...claims });
  } catch (error) {
    throw refusalOf(error, provider.name);
  }
}

function refusalOf(error: unknown, name: string) {
  if (error instanceof oidc.AuthorizationResponseError && error.error === "access_denied")
    return new Refusal("not-allowed", `${name} was not allowed to tell us who you are. Nothing has changed.`);
  return isTheirs(error) ? away(name) : strayed();
}

/** A lost line, a house in trouble, or one that does not accept us: nothing the person could put right. */
const isTheirs = (error: unknown) =>
  error instanceof TypeError ||
  (error instanceof oidc.ClientError && error.code === "OAUTH_TIMEOUT") ||
  (error instanceof oidc.ResponseBodyError && error.error !== "invalid_grant");

const text = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value.trim() : null);

const readClaims = (claims: Record<string, unknown>): Claims => ({
  subject: String(claims["sub"]),
  email: text(claims["email"]),
  emailVerified: claims["email_verified"] === true,
  name: text(claims["name"]) ?? text(claims["preferred_username"]),
  locale: text(claims["locale"]),
});

export const unlinkProvider = (house: House, viewer: SignedIn, name: string): Promise<void> =>
  house.inTransaction(async (tx) => {
    const left = await maybeOne(
      tx,
      sql<{ ways: number }>`
      select (password_hash is not null)::int + (email_confirmed_at is not null)::int
        + (select count(*)::int from identities i where i.person_id = people.id and i.provider <> ${name}) as ways
      from people where id = ${viewer.id} for update`,
    );
    if (!left || left.ways === 0) throw new Refusal("not-allowed", "This is your only way in. Please set a password first.");
    await run(tx, sql`delete from identities where person_id = ${viewer.id} and provider = ${name}`);
  });
