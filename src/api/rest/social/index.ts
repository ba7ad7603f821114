import { z } from "zod";
import {
  beginProviderSignIn,
  finishProviderSignIn,
  signInWithToken,
  type ProviderPropertyMap,
} from "#community/accounts";
import { Refusal } from "#platform/refusal";
import { defineEndpoint, parsedByHandler } from "../endpoint.ts";
import { RESPONSE_SENT, type Call } from "../rest-route.ts";
import { requestOrigin } from "../users/request-origin.ts";
import { findGuestId } from "../users/register-routes.ts";
import { hasDynamicSchema, createSignedInRecord } from "../users/signed-in-record.ts";
import { SignedInUser } from "../users/user-schemas.ts";
import { sendPopupResult } from "./popup-result.ts";
import { findProvider, resolvePopupOrigin } from "./popup-origins.ts";

const MAX_FIELDS = 50;
/** Maps the provider's field names to user properties. */
const FieldMapping = z
  .record(z.string().max(100), z.string().max(64))
  .refine((it) => Object.keys(it).length <= MAX_FIELDS, `At most ${MAX_FIELDS} fields.`)
  .nullish();
const mappedFields = { fieldsMapping: FieldMapping };
/**
 * Clients send the provider permissions they want. The list is ignored, because we always request the same
 * permissions.
 */
const PopupForm = z.object({ ...mappedFields, permissions: z.unknown().optional() });
const PopupBody = z.preprocess((body) => body ?? {}, PopupForm);
const RedirectForm = z.object({
  ...PopupForm.shape,
  redirect: z.boolean().nullish(),
  redirectAfterLoginUrl: z.string().max(2_000).nullish(),
});
const RedirectBody = z.preprocess((body) => body ?? {}, RedirectForm);
const TokenBody = z.object({
  ...mappedFields,
  accessToken: z.string().min(1).max(8_000),
  accessTokenSecret: z.string().max(8_000).nullish(),
  guestUser: z.looseObject({ objectId: z.string().max(100).nullish() }).nullish(),
});
type FieldMap = z.infer<typeof FieldMapping>;

/** The handlers parse this query, because errors of the callback must be reported to the waiting page. */
const FlowQuery = parsedByHandler(z.object({ to: z.string().optional(), fields: z.string().optional() }));
const CallbackQuery = parsedByHandler(
  z.object({ code: z.string().optional(), state: z.string().optional() }),
);
const ResultPage = z
  .unknown()
  .meta({ contentType: "text/html", description: "A page that sends its opener the user, or `{fault}`." });

const inputError = "provider-failed";
const providerExample = { provider: "google" };
const tokenExample = { params: providerExample, body: { accessToken: "token-of-the-provider" } };

/**
 * Endpoints for sign-in with a provider. In a browser, a popup or a redirect leads through our server to the
 * provider and back, and the last page returns the user to the client. An app can instead send an access
 * token of the provider.
 */
export const socialEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/users/social/oauth/:provider/request_url",
    summary: "Returns the URL at which a popup signs in with a provider.",
    open: true,
    body: PopupBody,
    inputError,
    response: z.string(),
    example: { params: providerExample, body: { fieldsMapping: { given_name: "name" } } },
    handle: (call) => startUrl(call, new URL(requestingOrigin(call)).origin, call.body.fieldsMapping),
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/oauth/:provider/request_url",
    summary: "Returns the URL at which a page signs in with a provider.",
    open: true,
    body: RedirectBody,
    inputError,
    response: z.string(),
    example: { params: providerExample, body: { fieldsMapping: { given_name: "name" } } },
    handle(call) {
      const { redirect, redirectAfterLoginUrl, fieldsMapping } = call.body;
      const to =
        redirect && redirectAfterLoginUrl ? redirectAfterLoginUrl : new URL(requestingOrigin(call)).origin;
      return startUrl(call, to, fieldsMapping);
    },
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/social/begin/:provider",
    summary: "Starts a sign-in with a provider: redirects there.",
    open: true,
    query: FlowQuery,
    status: 302,
    example: { params: providerExample },
    handle: startFlow,
  }),
  defineEndpoint({
    method: "GET",
    path: "/users/social/return/:provider",
    summary: "Ends a sign-in: the address to which the provider redirects.",
    open: true,
    query: CallbackQuery,
    response: ResultPage,
    example: { params: providerExample, query: { code: "code-of-the-provider", state: "state-of-the-flow" } },
    handle: finishFlow,
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/social/:provider/sdk/login",
    summary: "Signs in with a provider's token.",
    open: true,
    body: TokenBody,
    inputError,
    response: SignedInUser,
    example: tokenExample,
    handle: (call) => signInWithProviderToken(call, call.body),
  }),
  defineEndpoint({
    method: "POST",
    path: "/users/social/:provider/login",
    summary: "Signs in with a provider's token.",
    open: true,
    body: TokenBody,
    inputError,
    response: SignedInUser,
    example: tokenExample,
    handle: (call) => signInWithProviderToken(call, call.body),
  }),
];

/**
 * URL that the popup opens. It leads to our server first, which sets a cookie so that only this browser can
 * finish the flow.
 */
async function startUrl(call: Call, to: string, fields: FieldMap): Promise<string> {
  const { app, params } = call;
  await resolvePopupOrigin(app, to);
  const url = new URL(`/api/users/social/begin/${findProvider(app, params["provider"]!)}`, app.origin());
  url.searchParams.set("to", to);
  if (fields && Object.keys(fields).length > 0) url.searchParams.set("fields", JSON.stringify(fields));
  return url.href;
}

const requestingOrigin = ({ app, request }: Call) => request.headers.origin ?? app.origin();

/** Returns which provider fields an app stores in user properties. */
const toFieldStorage = async ({ app }: Call, fields: FieldMap): Promise<ProviderPropertyMap | null> =>
  fields && Object.keys(fields).length > 0 ? { fields, canAddColumns: await hasDynamicSchema(app) } : null;

/** Reads the field mapping from the URL of a popup. */
function readFieldMapping({ query }: Call): FieldMap {
  if (query["fields"] === undefined) return null;
  try {
    return FieldMapping.parse(JSON.parse(String(query["fields"])));
  } catch {
    throw new Refusal("invalid", "fields is not valid.", { kind: "provider-failed" });
  }
}

const FLOW_COOKIE = "kith_coming";
const COOKIE_SECONDS = 600;

/**
 * Creates the cookie that binds a flow to this browser. It identifies no person; the API never reads
 * sessions from cookies.
 */
const flowCookie = ({ app }: Call, value: string, seconds: number) =>
  `${FLOW_COOKIE}=${value}; Path=/api/users/social; Max-Age=${seconds}; HttpOnly; ` +
  `SameSite=Lax${app.origin().startsWith("https:") ? "; Secure" : ""}`;

async function startFlow(call: Call) {
  const { app, params, query, reply } = call;
  const to = String(query["to"] ?? app.origin());
  await resolvePopupOrigin(app, to);
  const { redirectTo, remember } = await beginProviderSignIn(
    app,
    findProvider(app, params["provider"]!),
    to,
    {
      sessionKind: "api",
      keeping: await toFieldStorage(call, readFieldMapping(call)),
    },
  );
  void reply
    .header(
      "set-cookie",
      flowCookie(call, `${remember}.${Buffer.from(to).toString("base64url")}`, COOKIE_SECONDS),
    )
    .header("cache-control", "no-store")
    .header("cross-origin-opener-policy", "unsafe-none")
    .redirect(redirectTo);
  return RESPONSE_SENT;
}

/** Handles the provider's callback. Errors are reported to the waiting page. */
async function finishFlow(call: Call) {
  const { app, params, request, reply } = call;
  const [, kept = "", place = ""] =
    new RegExp(`(?:^|; )${FLOW_COOKIE}=([\\w-]+)\\.([\\w-]+)`).exec(request.headers.cookie ?? "") ?? [];
  reply.header("set-cookie", flowCookie(call, "", 0));
  const name = findProvider(app, params["provider"]!);
  const to = Buffer.from(place, "base64url").toString() || app.origin();
  const origin = await resolvePopupOrigin(app, to);
  try {
    const outcome = await finishProviderSignIn(
      app,
      name,
      new URL(request.url, app.origin()).href,
      kept,
      requestOrigin(call),
      "api",
    );
    if (outcome.kind !== "signed-in") throw unfinishedRefusal(outcome.kind);
    const user = await createSignedInRecord(call, outcome.session);
    if (to === origin) return sendPopupResult(reply, user, origin);
    // The token is put into the URL's fragment, which reaches the page but no server log.
    const url = new URL(to);
    url.hash = new URLSearchParams({
      userToken: outcome.session.token,
      userId: outcome.session.personId,
    }).toString();
    void reply.redirect(url.href);
    return RESPONSE_SENT;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendPopupResult(reply, { fault: error.message }, origin);
  }
}

function unfinishedRefusal(kind: string) {
  if (kind === "second-step")
    return new Refusal(
      "not-allowed",
      "This account uses two-factor authentication: sign in with its password and a code.",
    );
  if (kind === "confirm-address")
    return new Refusal("not-allowed", "Confirm your email address first: we have sent you an email.", {
      kind: "unconfirmed-email",
    });
  return new Refusal("not-allowed", "Your registration waits for approval. We will email you.", {
    kind: "account-disabled",
  });
}

async function signInWithProviderToken(call: Call, body: z.output<typeof TokenBody>) {
  const { app, params } = call;
  const { accessToken, accessTokenSecret, fieldsMapping, guestUser } = body;
  const name = findProvider(app, params["provider"]!);
  const outcome = await signInWithToken(
    app,
    name,
    accessToken,
    accessTokenSecret || null,
    requestOrigin(call),
    {
      guestId: findGuestId(call, guestUser?.objectId ?? undefined),
      keeping: await toFieldStorage(call, fieldsMapping),
    },
  );
  if (outcome.kind !== "signed-in") throw unfinishedRefusal(outcome.kind);
  return createSignedInRecord(call, outcome.session);
}
