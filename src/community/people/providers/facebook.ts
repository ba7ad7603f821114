import { createHmac } from "node:crypto";
import * as oidc from "openid-client";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { Claims } from "../identities.ts";
import { away, isOwnMachine, isTheirs, mindNoSecret, notVouched, type Provider, refusalOf, SECONDS_TO_ANSWER, toldIn } from "./provider.ts";

const VERSION = "v23.0";
const OWN = { dialog: "https://www.facebook.com", graph: "https://graph.facebook.com" };

/** Responses of `/me` and `/debug_token`. Ids are too long for a number, so that they are text. */
const Somebody = z.looseObject({ id: z.string().min(1).max(100), name: z.string().optional(), email: z.string().optional() });
const FIELDS = "id,name,email,first_name,last_name,middle_name,short_name";
const Inspected = z.object({
  data: z.object({ is_valid: z.boolean(), app_id: z.coerce.string().optional(), user_id: z.coerce.string().optional() }),
});

type Facebook = { name: string; clientId: string; clientSecret: string; at?: string };
type Graph = Facebook & { graph: string; configuration: oidc.Configuration };

/**
 * Facebook: OAuth 2 with its own calls for identity (Graph API, `/me`) and for the app of a token
 * (`/debug_token`); developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow. It does not say
 * whether an address is verified: it must be confirmed here.
 */
export function facebookProvider(given: Facebook): Provider {
  const { dialog, graph } = given.at ? { dialog: given.at, graph: given.at } : OWN;
  const metadata = {
    issuer: dialog,
    authorization_endpoint: `${dialog}/${VERSION}/dialog/oauth`,
    token_endpoint: `${graph}/${VERSION}/oauth/access_token`,
  };
  const configuration = new oidc.Configuration(metadata, given.clientId, given.clientSecret);
  configuration.timeout = SECONDS_TO_ANSWER;
  if (isOwnMachine(graph)) oidc.allowInsecureRequests(configuration);
  const house: Graph = { ...given, graph, configuration };
  return {
    name: given.name,
    linksByEmail: false,
    begin: async (callback) => {
      const state = oidc.randomState();
      const redirectTo = oidc.buildAuthorizationUrl(configuration, { redirect_uri: callback, scope: "public_profile,email", state });
      return { redirectTo, kept: { state } };
    },
    finish: (came, kept) => finish(house, came, kept["state"]!),
    vouch: async (token, secret) => {
      mindNoSecret(given.name, secret);
      return vouch(house, token);
    },
  };
}

async function finish(house: Graph, came: URL, state: string): Promise<Claims> {
  try {
    const { access_token } = await oidc.authorizationCodeGrant(house.configuration, came, { expectedState: state });
    return await whose(house, access_token);
  } catch (error) {
    throw error instanceof Refusal ? error : refusalOf(error, house.name);
  }
}

async function vouch(house: Graph, token: string): Promise<Claims> {
  try {
    const { data } = Inspected.parse(
      await asked(house, "debug_token", { input_token: token, access_token: `${house.clientId}|${house.clientSecret}` }),
    );
    if (!data.is_valid || data.app_id !== house.clientId) throw notVouched(house.name);
    const claims = await whose(house, token);
    if (data.user_id !== undefined && data.user_id !== claims.subject) throw notVouched(house.name);
    return claims;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw isTheirs(error) ? away(house.name) : notVouched(house.name);
  }
}

/** Sends a proof that we know the app secret: a stolen token is useless without it. */
async function whose(house: Graph, token: string): Promise<Claims> {
  const proof = createHmac("sha256", house.clientSecret).update(token).digest("hex");
  const it = Somebody.parse(await asked(house, "me", { fields: FIELDS, access_token: token, appsecret_proof: proof }));
  return { subject: it.id, email: it.email ?? null, emailVerified: false, name: it.name ?? null, locale: null, told: toldIn(it) };
}

/** @throws `unavailable` on provider failures, and zod's error for an unexpected response */
async function asked({ graph, name }: Graph, what: string, query: Record<string, string>): Promise<unknown> {
  const url = `${graph}/${VERSION}/${what}?${new URLSearchParams(query).toString()}`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(SECONDS_TO_ANSWER * 1_000), redirect: "error" });
  if (answer.status >= 500 || answer.status === 429) throw away(name);
  return answer.json().catch(() => null);
}
