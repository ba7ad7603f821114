import { createHmac } from "node:crypto";
import * as oidc from "openid-client";
import { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { ProviderClaims } from "./provider-identities.ts";
import {
  providerUnavailable,
  isLoopbackAddress,
  isProviderFailure,
  assertNoTokenSecret,
  tokenNotForUs,
  type Provider,
  toProviderRefusal,
  PROVIDER_TIMEOUT_SECONDS,
  readStorableClaims,
} from "./sign-in-provider.ts";

const VERSION = "v23.0";
const FACEBOOK_ADDRESSES = { dialog: "https://www.facebook.com", graph: "https://graph.facebook.com" };

/** Responses of `/me` and `/debug_token`. Ids are strings, since they exceed the range of a number. */
const FacebookUser = z.looseObject({
  id: z.string().min(1).max(100),
  name: z.string().optional(),
  email: z.string().optional(),
});
const FIELDS = "id,name,email,first_name,last_name,middle_name,short_name";
const InspectedToken = z.object({
  data: z.object({
    is_valid: z.boolean(),
    app_id: z.coerce.string().optional(),
    user_id: z.coerce.string().optional(),
  }),
});

type FacebookOptions = { name: string; clientId: string; clientSecret: string; at?: string };
type FacebookContext = FacebookOptions & { graph: string; configuration: oidc.Configuration };

/**
 * Facebook: OAuth 2 with its own endpoints for the identity (Graph API, `/me`) and for the app of a token
 * (`/debug_token`); developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow. Facebook does
 * not say whether an address is verified, so the person must confirm it.
 */
export function createFacebookProvider(options: FacebookOptions): Provider {
  const { dialog, graph } = options.at ? { dialog: options.at, graph: options.at } : FACEBOOK_ADDRESSES;
  const metadata = {
    issuer: dialog,
    authorization_endpoint: `${dialog}/${VERSION}/dialog/oauth`,
    token_endpoint: `${graph}/${VERSION}/oauth/access_token`,
  };
  const configuration = new oidc.Configuration(metadata, options.clientId, options.clientSecret);
  configuration.timeout = PROVIDER_TIMEOUT_SECONDS;
  if (isLoopbackAddress(graph)) oidc.allowInsecureRequests(configuration);
  const app: FacebookContext = { ...options, graph, configuration };
  return {
    name: options.name,
    linksByEmail: false,
    begin: async (callback) => {
      const state = oidc.randomState();
      const redirectTo = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: "public_profile,email",
        state,
      });
      return { redirectTo, kept: { state } };
    },
    finish: (callbackUrl, state) => finishSignIn(app, callbackUrl, state["state"]!),
    vouch: async (token, secret) => {
      assertNoTokenSecret(options.name, secret);
      return verifyToken(app, token);
    },
  };
}

async function finishSignIn(app: FacebookContext, callbackUrl: URL, state: string): Promise<ProviderClaims> {
  try {
    const { access_token } = await oidc.authorizationCodeGrant(app.configuration, callbackUrl, {
      expectedState: state,
    });
    return await fetchClaims(app, access_token);
  } catch (error) {
    throw error instanceof Refusal ? error : toProviderRefusal(error, app.name);
  }
}

async function verifyToken(app: FacebookContext, token: string): Promise<ProviderClaims> {
  try {
    const { data } = InspectedToken.parse(
      await fetchGraph(app, "debug_token", {
        input_token: token,
        access_token: `${app.clientId}|${app.clientSecret}`,
      }),
    );
    if (!data.is_valid || data.app_id !== app.clientId) throw tokenNotForUs(app.name);
    const claims = await fetchClaims(app, token);
    if (data.user_id !== undefined && data.user_id !== claims.subject) throw tokenNotForUs(app.name);
    return claims;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw isProviderFailure(error) ? providerUnavailable(app.name) : tokenNotForUs(app.name);
  }
}

/** Sends a proof that we know the app secret: a stolen token is useless without it. */
async function fetchClaims(app: FacebookContext, token: string): Promise<ProviderClaims> {
  const proof = createHmac("sha256", app.clientSecret).update(token).digest("hex");
  const it = FacebookUser.parse(
    await fetchGraph(app, "me", { fields: FIELDS, access_token: token, appsecret_proof: proof }),
  );
  return {
    subject: it.id,
    email: it.email ?? null,
    emailVerified: false,
    name: it.name ?? null,
    locale: null,
    raw: readStorableClaims(it),
  };
}

/**
 * Calls the Graph API.
 * @throws `unavailable` on provider failures, and zod's error for an unexpected response
 */
async function fetchGraph(
  { graph, name }: FacebookContext,
  what: string,
  query: Record<string, string>,
): Promise<unknown> {
  const url = `${graph}/${VERSION}/${what}?${new URLSearchParams(query).toString()}`;
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(PROVIDER_TIMEOUT_SECONDS * 1_000),
    redirect: "error",
  });
  if (answer.status >= 500 || answer.status === 429) throw providerUnavailable(name);
  return answer.json().catch(() => null);
}
