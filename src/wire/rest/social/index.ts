import { z } from "zod";
import type { Keeping } from "#community/people";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import { ANSWERED, type Call, type Route } from "../route.ts";
import { fromOf } from "../users/from.ts";
import { guestOf } from "../users/register.ts";
import { growing, signedInRecord } from "../users/signed-in.ts";
import { sendLastPage } from "./last-page.ts";
import { providerNamed, toldOrigin } from "./origins.ts";

/**
 * Sign-in with a provider. A popup or a whole page goes through us to the provider and back, and the last
 * page reports the person; or an app presents an access token of the provider.
 */
export const socialRoutes: readonly Route[] = [
  { method: "POST", path: "/users/social/oauth/:provider/request_url", open: true, handle: popupAddress },
  { method: "POST", path: "/users/oauth/:provider/request_url", open: true, handle: linkAddress },
  { method: "GET", path: "/users/social/begin/:provider", open: true, handle: begin },
  { method: "GET", path: "/users/social/return/:provider", open: true, handle: comeBack },
  { method: "POST", path: "/users/social/:provider/sdk/login", open: true, handle: tokenLogin },
  { method: "POST", path: "/users/social/:provider/login", open: true, handle: tokenLogin },
];

const MOST_FIELDS = 50;
/** Maps the provider's field names to user properties. */
const Fields = z
  .record(z.string().max(100), z.string().max(64))
  .refine((it) => Object.keys(it).length <= MOST_FIELDS, `${MOST_FIELDS} fields at most.`)
  .nullish();
const PopupForm = z.object({ fieldsMapping: Fields });
const LinkForm = z.object({ ...PopupForm.shape, redirect: z.boolean().nullish(), redirectAfterLoginUrl: z.string().max(2_000).nullish() });
const TokenForm = z.object({
  ...PopupForm.shape,
  accessToken: z.string().min(1).max(8_000),
  accessTokenSecret: z.string().max(8_000).nullish(),
  guestUser: z.looseObject({ objectId: z.string().max(100).nullish() }).nullish(),
});
type Mapping = z.infer<typeof Fields>;

/** Popup URL: it visits us first, so that only this browser can finish the flow. */
async function addressOf(call: Call, to: string, fields: Mapping): Promise<string> {
  const { house, params } = call;
  await toldOrigin(house, to);
  const url = new URL(`/api/users/social/begin/${providerNamed(house, params["provider"]!)}`, house.origin());
  url.searchParams.set("to", to);
  if (fields && Object.keys(fields).length > 0) url.searchParams.set("fields", JSON.stringify(fields));
  return url.href;
}

const askingOrigin = ({ house, request }: Call) => request.headers.origin ?? house.origin();

async function popupAddress(call: Call) {
  return addressOf(call, new URL(askingOrigin(call)).origin, parsed(PopupForm, call.body ?? {}, "provider-failed").fieldsMapping);
}

async function linkAddress(call: Call) {
  const { redirect, redirectAfterLoginUrl, fieldsMapping } = parsed(LinkForm, call.body ?? {}, "provider-failed");
  return addressOf(call, redirect && redirectAfterLoginUrl ? redirectAfterLoginUrl : new URL(askingOrigin(call)).origin, fieldsMapping);
}

/** Which provider fields an app stores in properties. */
const keepingOf = async ({ house }: Call, fields: Mapping): Promise<Keeping | null> =>
  fields && Object.keys(fields).length > 0 ? { fields, growing: await growing(house) } : null;

/** Field mapping from a popup URL. */
function fieldsIn({ query }: Call): Mapping {
  if (query["fields"] === undefined) return null;
  try {
    return Fields.parse(JSON.parse(String(query["fields"])));
  } catch {
    throw new Refusal("invalid", "fields cannot be like this.", { kind: "provider-failed" });
  }
}

const COOKIE = "kith_coming";
const SECONDS = 600;

/**
 * A cookie that binds the flow to this browser. It identifies no one: sessions are never read from cookies
 * here.
 */
const keepsafe = ({ house }: Call, value: string, seconds: number) =>
  `${COOKIE}=${value}; Path=/api/users/social; Max-Age=${seconds}; HttpOnly; SameSite=Lax${house.origin().startsWith("https:") ? "; Secure" : ""}`;

async function begin(call: Call) {
  const { house, params, query, reply } = call;
  const to = String(query["to"] ?? house.origin());
  await toldOrigin(house, to);
  const { redirectTo, remember } = await house.accounts.beginProviderSignIn(providerNamed(house, params["provider"]!), to, {
    door: "wire",
    keeping: await keepingOf(call, fieldsIn(call)),
  });
  void reply
    .header("set-cookie", keepsafe(call, `${remember}.${Buffer.from(to).toString("base64url")}`, SECONDS))
    .header("cache-control", "no-store")
    .header("cross-origin-opener-policy", "unsafe-none")
    .redirect(redirectTo);
  return ANSWERED;
}

/** Callback from the provider. Errors are reported to the waiting page. */
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
    // In the fragment it reaches the page but no log on the way.
    const url = new URL(to);
    url.hash = new URLSearchParams({ userToken: came.session.token, userId: came.session.personId }).toString();
    void reply.redirect(url.href);
    return ANSWERED;
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
  const { accessToken, accessTokenSecret, fieldsMapping, guestUser } = parsed(TokenForm, call.body, "provider-failed");
  const name = providerNamed(house, params["provider"]!);
  const came = await house.accounts.signInWithToken(name, accessToken, accessTokenSecret || null, fromOf(call), {
    guestId: guestOf(call, guestUser?.objectId ?? undefined),
    keeping: await keepingOf(call, fieldsMapping),
  });
  if (came.kind !== "signed-in") throw unfinished(came.kind);
  return signedInRecord(call, came.session);
}
