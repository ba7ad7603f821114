import { findSession } from "#community/accounts";
import { createRequest } from "@remix-run/node-fetch-server";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { createRequestHandler, RouterContextProvider, ServerBuild } from "react-router";
import { clientNetwork } from "#platform/client-address";
import {
  renderPlainErrorPage,
  prepareErrorReply,
  isSameOrigin,
  jsonError,
  allowSlowBody,
} from "#platform/http";
import type { Message } from "#platform/messages";
import { measureQueries } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { addToSpan } from "#platform/telemetry";
import { cookie, NOTICE_COOKIE, readCookies, SESSION_COOKIE } from "../cookies.ts";
import type { renderSubmittedForm, readSubmittedForm } from "../resubmit-form.ts";
import type { WebContext } from "../web-context.ts";
import type { RequestContext } from "../request-context.ts";
import { textDirection } from "../i18n/locales.ts";
import { PREFETCH_HEADER, PREFETCH_LIFETIME } from "../prefetch-header.ts";
import { readLeadingFields, limitBody, allowsLargeBody } from "./body-limits.ts";
import { createEtag, compressHtml, type GuestPageCache, type CachedPage } from "./guest-page-cache.ts";
import { FormLimits } from "./form-rate-limits.ts";
import { deferScripts } from "./guest-scripts.ts";
import { chooseEncoding, PAGE_HEADERS, contentPolicy } from "./response-headers.ts";
import { guestPageKey, findCachedPage, sendCachedPage } from "./cached-responses.ts";
import { createRequestContext } from "./create-request-context.ts";
import { logSlowPage, serverTiming } from "./page-timings.ts";

/** The bundle contains its own copy of the router. Handler and context must come from that copy. */
type BundleEntry = {
  createRouterContext: (ctx: RequestContext) => RouterContextProvider;
  createRequestHandler: typeof createRequestHandler;
  translateInto: (locale: string, message: Message) => string;
  readSubmittedForm: typeof readSubmittedForm;
  renderSubmittedForm: typeof renderSubmittedForm;
};
/** The build of the pages, with what it exports for the server. */
export type PageBundle = ServerBuild & { entry: { module: BundleEntry } };
export type WebOptions = {
  app: WebContext;
  pages: GuestPageCache;
  build: () => Promise<PageBundle>;
  production: boolean;
};

/** Serves pages at all paths that no other route handles. */
export async function servePages(
  server: FastifyInstance,
  { app, pages, build: load, production }: WebOptions,
) {
  const formLimits = new FormLimits({
    limits: app.limits,
    findSession: (token) => findSession(app, token, "web"),
  });
  const mode = production ? "production" : "development";
  const routers = new WeakMap<PageBundle, ReturnType<typeof createRequestHandler>>();
  const routerOf = (bundle: PageBundle) => {
    const known = routers.get(bundle) ?? bundle.entry.module.createRequestHandler(bundle, mode);
    routers.set(bundle, known);
    return known;
  };
  serveBuildVersion(server, load);
  await server.register(async (web) => {
    // The router parses bodies itself, so Fastify's parsers are removed.
    web.removeAllContentTypeParsers();
    web.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    web.setErrorHandler<FastifyError>(refuse);
    web.route({
      method: ["GET", "HEAD", "POST"],
      url: "/*",
      handler: async (request, reply) => {
        const key = guestPageKey(request.raw);
        // Requests of guests for a page that is being rendered wait for it, so that it is rendered once for
        // all of them.
        const others = key === null ? undefined : pages.making(key);
        if (others) await others;
        const cachedPage = findCachedPage(request.raw, pages);
        if (cachedPage) return sendCachedPage(request, reply, cachedPage);
        const end = key === null ? null : pages.beginMaking(key);
        return make(request, reply).finally(() => end?.());
      },
    });
  });

  /** Sends an error, whose message is translated even if no page is rendered. */
  async function refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    const { status, message } = prepareErrorReply(error, request, reply, app.log);
    if (!(request.headers.accept ?? "").includes("text/html")) return reply.send(jsonError(status, message));
    const ctx = createRequestContext(request, app);
    const { locale } = ctx;
    const descriptor = error instanceof Refusal ? error.descriptor : message;
    const { translateInto, readSubmittedForm, renderSubmittedForm } = (await load()).entry.module;
    const tongue = {
      lang: locale,
      dir: textDirection(locale),
      home: translateInto(locale, "Go to the home page"),
    } as const;
    const form = oversizedForms.get(request);
    const given = form && readSubmittedForm(form, new URL(request.url, app.origin()));
    const words = given ? renderSubmittedForm(ctx, given) : "";
    return reply
      .type(PAGE_HEADERS["content-type"])
      .send(renderPlainErrorPage(status, translateInto(locale, descriptor), request.id, tongue, words));
  }

  async function make(request: FastifyRequest, reply: FastifyReply) {
    if (request.method === "POST") await assertFormLimit(request, app, formLimits);
    const begun = pages.begin();
    const ctx = createRequestContext(request, app);
    const bundle = await load();
    const started = performance.now();
    const pageRequest = await toRequest(request, reply);
    const { result: response, timings: queries } = await measureQueries(() =>
      routerOf(bundle)(pageRequest, bundle.entry.module.createRouterContext(ctx)),
    );
    const timings = { queries, milliseconds: performance.now() - started };
    addToSpan({ "kith.viewer": ctx.me ? "member" : "guest", "kith.render_ms": ctx.renderTime });
    logSlowPage(app.log, request.url, timings);
    const header = serverTiming(ctx, timings, production);
    if (header) reply.header("server-timing", header);
    return sendResponse({ request, reply, response, ctx, pages, begun });
  }
}

async function assertFormLimit(request: FastifyRequest, app: Pick<WebContext, "origin">, limits: FormLimits) {
  await limits.admit({
    token: readCookies(request.headers.cookie).get(SESSION_COOKIE),
    address: clientNetwork(request.ip),
  });
  if (!isSameOrigin(request, app.origin()))
    throw new Refusal("not-allowed", "The form did not come from this site.");
}

/** Serves the id of the current build, for pages that were opened with an older build. */
function serveBuildVersion(server: FastifyInstance, load: () => Promise<PageBundle>) {
  server.get("/builds/latest.json", async (_request, reply) => {
    const { assets } = await load();
    return reply.header("cache-control", "no-cache").send({ id: assets.version });
  });
  server.get<{ Params: { file: string } }>("/builds/meta/:file", async (request, reply) => {
    const { assets } = await load();
    if (request.params.file !== `${assets.version}.json`)
      throw new Refusal("not-found", "This build does not exist.");
    const routes = Object.values(assets.routes).flatMap((route) =>
      route ? [{ id: route.id, path: route.path, module: route.module }] : [],
    );
    return reply
      .header("cache-control", "public, max-age=31536000, immutable")
      .send({ id: assets.version, entry: assets.entry.module, routes });
  });
}

/** Text fields of forms that were refused as too large. */
const oversizedForms = new WeakMap<FastifyRequest, FormData>();

async function toRequest(request: FastifyRequest, reply: FastifyReply): Promise<Request> {
  let plain: Request | undefined;
  try {
    plain = createRequest(request.raw, reply.raw, { host: request.host, protocol: `${request.protocol}:` });
    // For HEAD, the router would render no page, and the response would lack its length. So the page is
    // rendered as for GET; Node omits the body.
    if (request.method === "HEAD") return new Request(plain, { method: "GET" });
    if (request.method !== "POST") return plain;
    if (allowsLargeBody(plain)) allowSlowBody(request.raw);
    return limitBody(plain);
  } catch (error) {
    if (plain && error instanceof Refusal && error.reason === "too-large")
      oversizedForms.set(request, await readLeadingFields(plain));
    if (error instanceof Refusal) throw error;
    throw new Refusal("invalid", "The address cannot be read.");
  }
}

type PageResponse = {
  request: FastifyRequest;
  reply: FastifyReply;
  response: Response;
  ctx: RequestContext;
  pages: GuestPageCache;
  begun: number;
};

async function sendResponse({ request, reply, response, ctx, pages, begun }: PageResponse) {
  const isPage = (response.headers.get("content-type") ?? "").startsWith("text/html");
  const html = ctx.page ?? (isPage ? await response.text() : "");
  // The router's own error response has no message, so it is replaced.
  if (response.status >= 500 && response.body === null && !isPage)
    return reply
      .code(response.status)
      .type(PAGE_HEADERS["content-type"])
      .send(renderPlainErrorPage(response.status, "Internal Server Error", ctx.incident));
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== "set-cookie") reply.header(name, value);
  reply.headers(ctx.headers);
  // A page that redirects leaves the notice to the next page. The router sends redirects of data as 202.
  if (ctx.readsNotice && (response.status < 300 || response.status >= 400) && response.status !== 202)
    ctx.setCookies.push(cookie.forget(NOTICE_COOKIE));
  for (const line of [...response.headers.getSetCookie(), ...ctx.setCookies])
    reply.header("set-cookie", line);
  if (!isPage) {
    if (isPrefetch(request, response, ctx))
      reply.headers({ "cache-control": `private, max-age=${PREFETCH_LIFETIME}`, vary: "Cookie" });
    else reply.header("cache-control", response.headers.get("cache-control") ?? "private, no-store");
    return reply.send(Buffer.from(await response.arrayBuffer()));
  }
  reply.headers(PAGE_HEADERS);
  if (ctx.me) return sendPage(request, setMemberHeaders(reply, ctx), addReaderAttribute(html, ctx));
  return sendGuestPage({ request, reply, response, ctx, pages, begun }, html);
}

/** Whether the request is a prefetch whose response the browser may reuse when the page is opened. */
const isPrefetch = (request: FastifyRequest, { status }: Response, { setCookies }: RequestContext) =>
  request.headers[PREFETCH_HEADER] !== undefined && status === 200 && setCookies.length === 0;

function setMemberHeaders(reply: FastifyReply, { nonce, reader }: RequestContext) {
  if (reader) void reply.header("kith-reader", reader);
  return reply.header("content-security-policy", contentPolicy([`'nonce-${nonce}'`]));
}

/**
 * Adds an attribute that names the reader in whose offline store the page may be copied. React renders no
 * element with this attribute, so hydration does not change it.
 */
const addReaderAttribute = (html: string, { reader }: RequestContext) =>
  reader ? html.replace("<html ", () => `<html data-reader="${reader}" `) : html;

/** Sends a page for one reader, compressed synchronously at a low level. */
async function sendPage(request: FastifyRequest, reply: FastifyReply, html: string) {
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  if (encoding === "identity") return reply.send(html);
  return reply.header("content-encoding", encoding).send(await compressHtml(encoding, html));
}

async function sendGuestPage({ request, reply, response, ctx, pages, begun }: PageResponse, whole: string) {
  const { html, hashes } = deferScripts(whole);
  const policy = contentPolicy(hashes);
  reply.header("content-security-policy", policy);
  const key = guestPageKey(request.raw);
  if (key === null || response.status !== 200 || !ctx.shows || ctx.setCookies.length > 0)
    return sendPage(request, reply, html);
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  const body = encoding === "identity" ? Buffer.from(html) : await compressHtml(encoding, html);
  const page: CachedPage = { policy, etag: createEtag(html), bodies: { [encoding]: body } };
  // Every page shows the community's name, so every page has the tag `settings`.
  pages.keep(key, page, ["settings", ...ctx.shows], begun, Date.now());
  return sendCachedPage(request, reply, page);
}
