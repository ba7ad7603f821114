import { z } from "zod";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { fromOf } from "../users/from.ts";
import { signedInRecord } from "../users/signed-in.ts";
import { sendLastPage } from "./last-page.ts";
import { providerNamed, toldOrigin } from "./origins.ts";

/**
 * Signing in with another house's account. A popup, or a whole page, goes by way of us to that house and back, and the last page says who
 * came; or a program shows a token that the house has given it.
 */
export const socialRoutes: readonly Route[] = [
  { method: "POST", path: "/users/social/oauth/:provider/request_url", open: true, handle: popupAddress },
  { method: "POST", path: "/users/oauth/:provider/request_url", open: true, handle: linkAddress },
  { method: "GET", path: "/users/social/begin/:provider", open: true, handle: begin },
  { method: "GET", path: "/users/social/return/:provider", open: true, handle: comeBack },
  { method: "POST", path: "/users/social/:provider/sdk/login", open: true, handle: tokenLogin },
  { method: "POST", path: "/users/social/:provider/login", open: true, handle: tokenLogin },
];

const LinkForm = z.object({ redirect: z.boolean().nullish(), redirectAfterLoginUrl: z.string().max(2_000).nullish() });
const TokenForm = z.object({ accessToken: z.string().min(1).max(8_000), accessTokenSecret: z.string().max(8_000).nullish() });

/** Where the popup goes: to us first, so that this browser alone can finish what it began. */
async function addressOf(call: Call, to: string): Promise<string> {
  const { house, params } = call;
  await toldOrigin(house, to);
  const url = new URL(`/api/users/social/begin/${providerNamed(house, params["provider"]!)}`, house.origin());
  url.searchParams.set("to", to);
  return url.href;
}

const askingOrigin = ({ house, request }: Call) => request.headers.origin ?? house.origin();

async function popupAddress(call: Call) {
  return addressOf(call, new URL(askingOrigin(call)).origin);
}

async function linkAddress(call: Call) {
  const { redirect, redirectAfterLoginUrl } = parsed(LinkForm, call.body ?? {});
  return addressOf(call, redirect && redirectAfterLoginUrl ? redirectAfterLoginUrl : new URL(askingOrigin(call)).origin);
}

const COOKIE = "kith_coming";
const SECONDS = 600;

/** What this browser keeps while somebody is away. It says nothing of who they are: no session is ever read from a cookie here. */
const keepsafe = ({ house }: Call, value: string, seconds: number) =>
  `${COOKIE}=${value}; Path=/api/users/social; Max-Age=${seconds}; HttpOnly; SameSite=Lax${house.origin().startsWith("https:") ? "; Secure" : ""}`;

async function begin(call: Call) {
  const { house, params, query, reply } = call;
  const to = String(query["to"] ?? house.origin());
  await toldOrigin(house, to);
  const { redirectTo, remember } = await house.accounts.beginProviderSignIn(
    providerNamed(house, params["provider"]!),
    to,
    undefined,
    "wire",
  );
  return reply
    .header("set-cookie", keepsafe(call, `${remember}.${Buffer.from(to).toString("base64url")}`, SECONDS))
    .header("cache-control", "no-store")
    .header("cross-origin-opener-policy", "unsafe-none")
    .redirect(redirectTo);
}

/** Back from the other house. What went wrong is told to the page that waits. */
async function comeBack(call: Call) {
  const { house, params, request, reply } = call;
  const [, kept = "", place = ""] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)\\.([\\w-]+)`).exec(request.headers.cookie ?? "") ?? [];
  reply.header("set-cookie", keepsafe(call, "", 0));
  const name = providerNamed(house, params["provider"]!);
  const to = Buffer.from(place, "base64url").toString() || house.origin();
  const origin = await toldOrigin(house, to);
  try {
    const came = await house.accounts.finishProviderSignIn(name, new URL(request.url, house.origin()).href, kept, fromOf(call), "wire");
    if (came.kind !== "signed-in") throw unfinished(came.kind);
    const user = await signedInRecord(call, came.session);
    if (to === origin) return sendLastPage(reply, user, origin);
    // After the `#` it reaches the page, and no log on the way.
    const url = new URL(to);
    url.hash = new URLSearchParams({ userToken: came.session.token, userId: came.session.personId }).toString();
    return reply.redirect(url.href);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendLastPage(reply, { fault: error.message }, origin);
  }
}

function unfinished(kind: string) {
  if (kind === "second-step") return new Refusal("not-allowed", "This account has a second step: sign in with its password and a code.");
  if (kind === "confirm-address")
    return new Refusal("not-allowed", "Please confirm your mail address first: we have written to you.", { kind: "unconfirmed-email" });
  return new Refusal("not-allowed", "A human will look at your registration soon. We write to you when it is done.", {
    kind: "account-disabled",
  });
}

async function tokenLogin(call: Call) {
  const { house, params } = call;
  const { accessToken, accessTokenSecret } = parsed(TokenForm, call.body, "provider-failed");
  const name = providerNamed(house, params["provider"]!);
  const came = await house.accounts.signInWithToken(name, accessToken, accessTokenSecret || null, fromOf(call));
  if (came.kind !== "signed-in") throw unfinished(came.kind);
  return signedInRecord(call, came.session);
}
