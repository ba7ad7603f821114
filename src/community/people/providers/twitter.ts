import { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { Claims } from "../identities.ts";
import { authorizationOf, type Signer } from "./oauth1.ts";
import { away, isTheirs, notVouched, type Provider, SECONDS_TO_ANSWER, strayed, toldIn, turnedDown } from "./provider.ts";

const OWN = "https://api.x.com";
const Somebody = z.looseObject({
  id_str: z.string().min(1).max(100),
  name: z.string().optional(),
  screen_name: z.string().optional(),
  email: z.string().nullish(),
});

type Twitter = { name: string; clientId: string; clientSecret: string; linksByEmail?: boolean; at?: string };
type House = { name: string; at: string; own: Signer };

/**
 * X (formerly Twitter) with OAuth 1.0a, whose tokens have a secret (docs.x.com, "Log in with X"). It accepts
 * a token only in requests signed with our key, which proves that the token was issued for us. Its addresses
 * are verified.
 */
export function twitterProvider({ name, clientId, clientSecret, linksByEmail = false, at = OWN }: Twitter): Provider {
  const house: House = { name, at, own: { key: clientId, secret: clientSecret } };
  return {
    name,
    linksByEmail,
    begin: (callback) => minding(house, () => begin(house, callback)),
    finish: (came, kept) => minding(house, () => finish(house, came, kept)),
    vouch: (token, secret) => minding(house, () => vouch(house, token, secret)),
  };
}

async function begin(house: House, callback: string) {
  const asked = await said(house, house.own, "POST", "/oauth/request_token", { oauth_callback: callback });
  const token = asked?.get("oauth_token");
  // Our own key is not accepted: nothing the person can fix.
  if (!token || asked?.get("oauth_callback_confirmed") !== "true") throw away(house.name);
  const redirectTo = new URL("/oauth/authenticate", house.at);
  redirectTo.searchParams.set("oauth_token", token);
  return { redirectTo, kept: { token, secret: asked.get("oauth_token_secret") ?? "" } };
}

async function finish(house: House, came: URL, kept: Record<string, string>): Promise<Claims> {
  const { token = "", secret = "" } = kept;
  const told = came.searchParams;
  if (told.has("denied")) throw turnedDown(house.name);
  const verifier = told.get("oauth_verifier");
  if (token === "" || told.get("oauth_token") !== token || !verifier) throw strayed();
  const signer = { ...house.own, token, tokenSecret: secret };
  const given = await said(house, signer, "POST", "/oauth/access_token", { oauth_verifier: verifier });
  if (!given?.has("oauth_token")) throw strayed();
  return whose(house, given.get("oauth_token")!, given.get("oauth_token_secret") ?? "");
}

async function vouch(house: House, token: string, secret: string | null): Promise<Claims> {
  if (secret === null)
    throw new Refusal("invalid", `${house.name} gives a secret with each token: accessTokenSecret is missing.`, {
      kind: "provider-failed",
    });
  return whose(house, token, secret);
}

async function whose(house: House, token: string, tokenSecret: string): Promise<Claims> {
  const path = "/1.1/account/verify_credentials.json?include_email=true&skip_status=true&include_entities=false";
  const answer = await asked(house, { ...house.own, token, tokenSecret }, "GET", path);
  const it = Somebody.safeParse(answer.ok ? await answer.json().catch(() => null) : null).data;
  if (!it) throw notVouched(house.name);
  const email = it.email || null;
  return {
    subject: it.id_str,
    email,
    emailVerified: email !== null,
    name: it.name ?? it.screen_name ?? null,
    locale: null,
    told: toldIn(it),
  };
}

/** Parses a form-encoded response; null when it was refused. */
async function said(house: House, signer: Signer, method: "POST", path: string, parameters: Record<string, string>) {
  const answer = await asked(house, signer, method, path, parameters);
  return answer.ok ? new URLSearchParams(await answer.text()) : null;
}

async function asked(house: House, signer: Signer, method: "GET" | "POST", path: string, parameters: Record<string, string> = {}) {
  const url = new URL(path, house.at).href;
  const answer = await fetch(url, {
    method,
    headers: { authorization: authorizationOf(signer, { method, url, parameters }) },
    signal: AbortSignal.timeout(SECONDS_TO_ANSWER * 1_000),
    redirect: "error",
  });
  if (answer.status >= 500 || answer.status === 429) throw away(house.name);
  return answer;
}

async function minding<T>({ name }: House, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isTheirs(error) ? away(name) : error;
  }
}
