import * as oidc from "openid-client";
import { MINUTE } from "#platform/clock";
import { maybeOne, run, sql } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import type { Door, From, ProviderSignIn } from "./door.ts";
import { enter, type Owner, ownerColumns } from "./enter.ts";
import type { House } from "./house.ts";
import { type Claims, comeFrom, linkIdentity } from "./identities.ts";
import { away, type Provider } from "./providers.ts";
import { SignInRefusal } from "./states.ts";

const LASTS = 10 * MINUTE;

/** What the browser keeps while somebody is away at the other house. */
type Remembered = { provider: string; state: string; nonce: string; verifier: string; returnTo: string; linkTo: string | null };

export async function beginProviderSignIn(house: House, name: string, returnTo: string, linkTo?: SignedIn) {
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
    redirect_uri: callbackOf(house, name),
    scope: "openid email profile",
    state: remembered.state,
    nonce: remembered.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(remembered.verifier),
    code_challenge_method: "S256",
  });
  return { redirectTo: redirectTo.href, remember: house.sealer.seal("provider", remembered, house.now()) };
}

const callbackOf = (house: House, name: string) => `${house.origin()}/login/from/${encodeURIComponent(name)}`;

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
  const claims = await claimsOf(house, provider, callbackUrl, begun);
  const { returnTo, linkTo } = begun;
  if (linkTo) {
    await linkIdentity(house, linkTo, name, claims);
    return { kind: "linked", returnTo };
  }
  const came = await comeFrom(house, name, claims, from);
  if (came.kind === "confirm-address") return { ...came, returnTo };
  const owner = (await maybeOne(house.database.db, sql<Owner>`select ${ownerColumns} from people where id = ${came.personId}`))!;
  try {
    return { ...(await enter(house, owner, { stay: true, from, door })), returnTo };
  } catch (refusal) {
    if (refusal instanceof SignInRefusal && refusal.state === "pending_approval" && came.isNew)
      return { kind: "awaiting-approval", returnTo };
    throw refusal;
  }
}

const strayed = () => new Refusal("invalid", "That sign-in does not fit what was begun in this browser. Please start once more.");

async function claimsOf(house: House, provider: Provider, callbackUrl: string, begun: Remembered): Promise<Claims> {
  const configuration = await provider.configuration();
  // Behind a proxy the request may have come by another name; what was asked for is our public address.
  const url = new URL(callbackOf(house, provider.name));
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
