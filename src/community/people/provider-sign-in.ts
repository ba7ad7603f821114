import { MINUTE } from "#platform/clock";
import { maybeOne, run, sql } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import type { Beginning, Coming, Door, From, Keeping, ProviderSignIn, SignIn } from "./door.ts";
import { enter, type Owner, ownerColumns, type Way } from "./enter.ts";
import type { House } from "./house.ts";
import { type Claims, comeFrom, linkIdentity } from "./identities.ts";
import { type Kept, type Provider, strayed } from "./providers/index.ts";
import { addProperties } from "./programs/properties.ts";
import { SignInRefusal } from "./states.ts";

const LASTS = 10 * MINUTE;

/** State that the browser keeps during the visit to the provider. */
type Remembered = {
  provider: string;
  kept: Kept;
  returnTo: string;
  linkTo: string | null;
  keeping: Keeping | null;
  invitation?: string | undefined;
};

export async function beginProviderSignIn(house: House, name: string, returnTo: string, options: Beginning = {}) {
  const { linkTo, door = "web", keeping = null, invitation } = options;
  const { redirectTo, kept } = await providerOf(house, name).begin(callbackOf(house, name, door));
  const remembered: Remembered = { provider: name, kept, returnTo, linkTo: linkTo?.id ?? null, keeping, invitation };
  return { redirectTo: redirectTo.href, remember: house.sealer.seal("provider", remembered, house.now()) };
}

/** Callback address, one for pages and one for API clients. */
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
  // Behind a proxy the request may name another host; the provider was given our public address.
  const came = new URL(callbackOf(house, provider.name, door));
  came.search = new URL(callbackUrl).search;
  const claims = await provider.finish(came, begun.kept);
  const { returnTo, linkTo, keeping, invitation } = begun;
  if (linkTo) {
    await linkIdentity(house, linkTo, name, claims);
    return { kind: "linked", returnTo };
  }
  return { ...(await enterFrom(house, name, claims, { stay: true, from, door }, { keeping, invitation })), returnTo };
}

type Came = SignIn | { kind: "confirm-address"; pending: string } | { kind: "awaiting-approval"; pending: string };

async function enterFrom(house: House, name: string, claims: Claims, way: Way, coming: Coming): Promise<Came> {
  const came = await comeFrom(house, name, claims, way.from, coming);
  if (came.kind === "came" && coming.keeping) await keepTold(house, came.personId, claims, coming.keeping);
  if (came.kind === "confirm-address") return came;
  const owner = (await maybeOne(house.database.db, sql<Owner>`select ${ownerColumns} from people where id = ${came.personId}`))!;
  try {
    return await enter(house, owner, way);
  } catch (refusal) {
    if (refusal instanceof SignInRefusal && refusal.state === "pending_approval" && came.isNew)
      return { kind: "awaiting-approval", pending: refusal.pending! };
    throw refusal;
  }
}

/**
 * Signs in an API client's user by a provider token.
 * @throws `not-allowed` unless the provider says that the token was issued for this site: one issued for
 * another app could sign its users in here
 */
export async function signInWithToken(
  house: House,
  name: string,
  token: string,
  secret: string | null,
  from: From,
  coming: Coming = {},
): Promise<Came> {
  const claims = await providerOf(house, name).vouch(token, secret);
  return enterFrom(house, name, claims, { stay: true, from, door: "wire" }, coming);
}

/**
 * Stores the claims that an API client wants, under its own property names; missing claims change nothing.
 */
async function keepTold(house: House, personId: string, { told }: Claims, { fields, growing }: Keeping): Promise<void> {
  const wanted = Object.entries(fields).flatMap(([theirs, ours]) => (Object.hasOwn(told, theirs) ? [[ours, told[theirs]] as const] : []));
  if (wanted.length > 0) await house.inTransaction((tx) => addProperties(tx, personId, Object.fromEntries(wanted), growing));
}

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
