import { MINUTE } from "#platform/clock";
import { maybeOne, run, sql } from "#platform/database";
import { notFound, Refusal } from "#platform/refusal";
import type { SignedIn } from "#community/rules";
import type {
  ProviderSignInOptions,
  ProviderAccountOptions,
  SessionKind,
  ClientInfo,
  ProviderPropertyMap,
  ProviderSignInOutcome,
  SignInResult,
} from "../types.ts";
import {
  continueSignIn,
  type AccountOwner,
  accountOwnerColumns,
  type SignInOrigin,
} from "../sign-in/complete-sign-in.ts";
import { type AccountsContext, inAccountTransaction } from "../accounts-context.ts";
import { type ProviderClaims, findOrCreateProviderAccount, linkIdentity } from "./provider-identities.ts";
import { type ProviderState, type Provider, signInMismatch } from "./index.ts";
import { mergeProperties } from "../api-users/user-properties.ts";
import { SignInRefusal } from "../lifecycle/account-states.ts";

const PROVIDER_SIGN_IN_LIFETIME = 10 * MINUTE;

/** State that the browser stores while the person is at the provider. */
type ProviderSignInState = {
  provider: string;
  kept: ProviderState;
  returnTo: string;
  linkTo: string | null;
  keeping: ProviderPropertyMap | null;
  invitation?: string | undefined;
};

/**
 * Begins a sign-in with a provider. Store `remember` for 10 minutes.
 * @throws `not-found` for an unknown name, `unavailable` when the provider does not respond
 */
export async function beginProviderSignIn(
  app: Pick<AccountsContext, "now" | "origin" | "sealer" | "signInProviders">,
  name: string,
  returnTo: string,
  options: ProviderSignInOptions = {},
) {
  const { linkTo, sessionKind = "web", keeping = null, invitation } = options;
  const { redirectTo, kept } = await getProvider(app, name).begin(callbackAddress(app, name, sessionKind));
  const remembered: ProviderSignInState = {
    provider: name,
    kept,
    returnTo,
    linkTo: linkTo?.id ?? null,
    keeping,
    invitation,
  };
  return { redirectTo: redirectTo.href, remember: app.sealer.seal("provider", remembered, app.now()) };
}

/** Callback address. Pages and API clients have different ones. */
const callbackAddress = (app: Pick<AccountsContext, "origin">, name: string, sessionKind: SessionKind) =>
  `${app.origin()}${sessionKind === "web" ? "/login/from" : "/api/users/social/return"}/${encodeURIComponent(name)}`;

function getProvider(app: Pick<AccountsContext, "signInProviders">, name: string): Provider {
  const provider = app.signInProviders.get(name);
  if (!provider) throw notFound();
  return provider;
}

/**
 * Finishes a sign-in with a provider.
 * @throws `invalid` when the response does not match the request, `not-allowed` when registration is
 * closed, `gone` for an invitation that is over, `conflict` when the identity is linked to another account
 */
export async function finishProviderSignIn(
  app: AccountsContext,
  name: string,
  callbackUrl: string,
  remember: string,
  from: ClientInfo,
  sessionKind: SessionKind,
): Promise<ProviderSignInOutcome> {
  const provider = getProvider(app, name);
  const begun = app.sealer.unseal<ProviderSignInState>(
    "provider",
    remember,
    app.now(),
    PROVIDER_SIGN_IN_LIFETIME,
  );
  if (!begun || begun.provider !== name) throw signInMismatch();
  // Behind a proxy the request may name another host; the provider was given our public address.
  const came = new URL(callbackAddress(app, provider.name, sessionKind));
  came.search = new URL(callbackUrl).search;
  const claims = await provider.finish(came, begun.kept);
  const { returnTo, linkTo, keeping, invitation } = begun;
  if (linkTo) {
    await linkIdentity(app, linkTo, name, claims);
    return { kind: "linked", returnTo };
  }
  return {
    ...(await signInWithClaims(
      app,
      name,
      claims,
      { stay: true, from, sessionKind },
      { keeping, invitation },
    )),
    returnTo,
  };
}

type ProviderSignInResult =
  | SignInResult
  | { kind: "confirm-address"; pending: string }
  | { kind: "awaiting-approval"; pending: string };

async function signInWithClaims(
  app: AccountsContext,
  name: string,
  claims: ProviderClaims,
  origin: SignInOrigin,
  coming: ProviderAccountOptions,
): Promise<ProviderSignInResult> {
  const account = await findOrCreateProviderAccount(app, name, claims, origin.from, coming);
  if (account.kind === "came" && coming.keeping)
    await storeClaims(app, account.personId, claims, coming.keeping);
  if (account.kind === "confirm-address") return account;
  const owner = (await maybeOne(
    app.database.db,
    sql<AccountOwner>`select ${accountOwnerColumns} from people where id = ${account.personId}`,
  ))!;
  try {
    return await continueSignIn(app, owner, origin);
  } catch (refusal) {
    if (refusal instanceof SignInRefusal && refusal.state === "pending_approval" && account.isNew)
      return { kind: "awaiting-approval", pending: refusal.pending! };
    throw refusal;
  }
}

/**
 * Signs in an API client's user by a provider token.
 * @throws `not-allowed` unless the provider says that the token was issued for this site: otherwise another
 * app could sign in with tokens of its own users
 */
export async function signInWithToken(
  app: AccountsContext,
  name: string,
  token: string,
  secret: string | null,
  from: ClientInfo,
  coming: ProviderAccountOptions = {},
): Promise<ProviderSignInResult> {
  const claims = await getProvider(app, name).vouch(token, secret);
  return signInWithClaims(app, name, claims, { stay: true, from, sessionKind: "api" }, coming);
}

/** Stores claims under the property names that an API client chose. Missing claims change nothing. */
async function storeClaims(
  app: Pick<AccountsContext, "database" | "settings">,
  personId: string,
  { raw }: ProviderClaims,
  { fields, canAddColumns }: ProviderPropertyMap,
): Promise<void> {
  const wanted = Object.entries(fields).flatMap(([theirs, ours]) =>
    Object.hasOwn(raw, theirs) ? [[ours, raw[theirs]] as const] : [],
  );
  if (wanted.length > 0)
    await inAccountTransaction(app, (tx) =>
      mergeProperties(tx, personId, Object.fromEntries(wanted), canAddColumns),
    );
}

/**
 * Unlinks a provider from the account.
 * @throws `not-allowed` when it is the only way to sign in
 */
export const unlinkProvider = (
  app: Pick<AccountsContext, "database" | "settings">,
  viewer: SignedIn,
  name: string,
): Promise<void> =>
  inAccountTransaction(app, async (tx) => {
    const left = await maybeOne(
      tx,
      sql<{ remaining: number }>`
      select (password_hash is not null)::int + (email_confirmed_at is not null)::int
        + (select count(*)::int from provider_identities i
          where i.person_id = people.id and i.provider <> ${name}) as remaining
      from people where id = ${viewer.id} for update`,
    );
    if (!left || left.remaining === 0)
      throw new Refusal("not-allowed", "This is your only way to sign in. Set a password first.");
    await run(tx, sql`delete from provider_identities where person_id = ${viewer.id} and provider = ${name}`);
  });
