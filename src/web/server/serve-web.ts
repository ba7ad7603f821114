import { createRequest } from "@remix-run/node-fetch-server";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { createRequestHandler, RouterContextProvider, ServerBuild } from "react-router";
import { networkOf } from "#platform/client-address";
import { bareHtml, beginFault, isOurs, jsonFault, takesItsTime } from "#platform/http";
import { Refusal } from "#platform/refusal";
import { readCookies, SESSION } from "../cookies.ts";
import type { givenBack, givenIn } from "../given-back.ts";
import type { House } from "../house.ts";
import type { Visit } from "../visit.ts";
import { directionOf } from "../words/locales.ts";
import { beginningOf, bounded, isLarge } from "./bodies.ts";
import { byFirstWord } from "./first-words.ts";
import { etagOf, squeezed, type GuestPages, type KeptPage } from "./guest-pages.ts";
import { FormLimits } from "./form-limits.ts";
import { forGuests } from "./guest-scripts.ts";
import { encodingFor, PAGE, policyOf } from "./headers.ts";
import { guestKey, keptPage, sendKept } from "./kept.ts";
import { visitOf } from "./visits.ts";

/** The bundle brings its own router: handler and context must come from the same copy. */
type Bundled = {
  contextOf: (visit: Visit) => RouterContextProvider;
  createRequestHandler: typeof createRequestHandler;
  sayIn: (locale: string, sentence: string) => string;
  givenIn: typeof givenIn;
  givenBack: typeof givenBack;
};
type Build = ServerBuild & { entry: { module: Bundled } };
export type WebOptions = { house: House; pages: GuestPages; build: () => Promise<ServerBuild>; production: boolean };

/** Serves the pages: every path that no other route handles. */
export async function serveWeb(server: FastifyInstance, { house, pages, build, production }: WebOptions) {
  const load = build as () => Promise<Build>;
  const formLimits = new FormLimits(house);
  const mode = production ? "production" : "development";
  const routers = new WeakMap<Build, ReturnType<typeof byFirstWord<ReturnType<typeof createRequestHandler>>>>();
  const routerOf = (made: Build) => {
    const known = routers.get(made) ?? byFirstWord(made, (build) => made.entry.module.createRequestHandler(build, mode));
    routers.set(made, known);
    return known;
  };
  serveBuilds(server, load);
  await server.register(async (web) => {
    // The router reads bodies itself, so they are passed on unparsed.
    web.removeAllContentTypeParsers();
    web.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    web.setErrorHandler<FastifyError>(refuse);
    web.route({
      method: ["GET", "HEAD", "POST"],
      url: "/*",
      handler: async (request, reply) => {
        const key = guestKey(request.raw);
        // When many guests request a page at once, it is rendered once for all of them.
        const others = key === null ? undefined : pages.making(key);
        if (others) await others;
        const kept = keptPage(request.raw, pages);
        if (kept) return sendKept(request, reply, kept);
        const end = key === null ? null : pages.beginMaking(key);
        return make(request, reply).finally(() => end?.());
      },
    });
  });

  /** The error's sentence is translated even where no page is rendered. */
  async function refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
    const { status, message } = beginFault(error, request, reply, house.log);
    if (!(request.headers.accept ?? "").includes("text/html")) return reply.send(jsonFault(status, message));
    const visit = visitOf(request, house);
    const { locale } = visit;
    const { sayIn, givenIn, givenBack } = (await load()).entry.module;
    const tongue = { lang: locale, dir: directionOf(locale), home: sayIn(locale, "To the start page") } as const;
    const begun = tooLarge.get(request);
    const given = begun && givenIn(begun, new URL(request.url, house.origin()));
    const words = given ? givenBack(visit, given) : "";
    return reply.type(PAGE["content-type"]).send(bareHtml(status, sayIn(locale, message), request.id, tongue, words));
  }

  async function make(request: FastifyRequest, reply: FastifyReply) {
    if (request.method === "POST") await admitForm(request, house, formLimits);
    const begun = pages.begin();
    const visit = visitOf(request, house);
    const made = await load();
    const handle = routerOf(made)(request.url);
    const response = await handle(await asked(request, reply), made.entry.module.contextOf(visit));
    return answer({ request, reply, response, visit, pages, begun });
  }
}

async function admitForm(request: FastifyRequest, house: House, limits: FormLimits) {
  await limits.admit({ token: readCookies(request.headers.cookie).get(SESSION), address: networkOf(request.ip) });
  if (!isOurs(request, house.origin())) throw new Refusal("not-allowed", "That form did not come from this site.");
}

/** The current build, for pages opened with an older one. */
function serveBuilds(server: FastifyInstance, load: () => Promise<Build>) {
  server.get("/builds/latest.json", async (_request, reply) => {
    const { assets } = await load();
    return reply.header("cache-control", "no-cache").send({ id: assets.version });
  });
  server.get<{ Params: { file: string } }>("/builds/meta/:file", async (request, reply) => {
    const { assets } = await load();
    if (request.params.file !== `${assets.version}.json`) throw new Refusal("not-found", "There is no such build here.");
    const routes = Object.values(assets.routes).flatMap((route) =>
      route ? [{ id: route.id, path: route.path, module: route.module }] : [],
    );
    return reply
      .header("cache-control", "public, max-age=31536000, immutable")
      .send({ id: assets.version, entry: assets.entry.module, routes });
  });
}

/** Text fields of forms that were refused as too large. */
const tooLarge = new WeakMap<FastifyRequest, FormData>();

async function asked(request: FastifyRequest, reply: FastifyReply): Promise<Request> {
  let plain: Request | undefined;
  try {
    plain = createRequest(request.raw, reply.raw, { host: request.host, protocol: `${request.protocol}:` });
    // For HEAD the router would render no page, and the response would have no length; Node omits the body.
    if (request.method === "HEAD") return new Request(plain, { method: "GET" });
    if (request.method !== "POST") return plain;
    if (isLarge(plain)) takesItsTime(request.raw);
    return bounded(plain);
  } catch (error) {
    if (plain && error instanceof Refusal && error.reason === "too-large") tooLarge.set(request, await beginningOf(plain));
    if (error instanceof Refusal) throw error;
    throw new Refusal("invalid", "That address cannot be read.");
  }
}

type Answer = { request: FastifyRequest; reply: FastifyReply; response: Response; visit: Visit; pages: GuestPages; begun: number };

async function answer({ request, reply, response, visit, pages, begun }: Answer) {
  const isPage = (response.headers.get("content-type") ?? "").startsWith("text/html");
  const html = visit.page ?? (isPage ? await response.text() : "");
  // The router's own fallback has no message; ours does.
  if (response.status >= 500 && response.body === null && !isPage)
    return reply
      .code(response.status)
      .type(PAGE["content-type"])
      .send(bareHtml(response.status, "Internal Server Error", visit.incident));
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== "set-cookie") reply.header(name, value);
  reply.headers(visit.headers);
  for (const line of [...response.headers.getSetCookie(), ...visit.setCookies]) reply.header("set-cookie", line);
  if (!isPage) {
    reply.header("cache-control", response.headers.get("cache-control") ?? "private, no-store");
    return reply.send(Buffer.from(await response.arrayBuffer()));
  }
  reply.headers(PAGE);
  if (visit.me) return sendPage(request, ofMember(reply, visit), withReader(html, visit));
  return answerGuest({ request, reply, response, visit, pages, begun }, html);
}

function ofMember(reply: FastifyReply, { nonce, reader }: Visit) {
  if (reader) void reply.header("kith-reader", reader);
  return reply.header("content-security-policy", policyOf([`'nonce-${nonce}'`]));
}

/**
 * Names the reader in whose offline store the page may be copied. The attribute is in no element that React
 * renders, so hydration leaves it as it is.
 */
const withReader = (html: string, { reader }: Visit) => (reader ? html.replace("<html ", () => `<html data-reader="${reader}" `) : html);

/** A page for one reader, compressed synchronously at a low level. */
async function sendPage(request: FastifyRequest, reply: FastifyReply, html: string) {
  const encoding = encodingFor(request.headers["accept-encoding"]);
  if (encoding === "identity") return reply.send(html);
  return reply.header("content-encoding", encoding).send(await squeezed(encoding, html));
}

async function answerGuest({ request, reply, response, visit, pages, begun }: Answer, whole: string) {
  const { html, hashes } = forGuests(whole);
  const policy = policyOf(hashes);
  reply.header("content-security-policy", policy);
  const key = guestKey(request.raw);
  if (key === null || response.status !== 200 || !visit.shows || visit.setCookies.length > 0) return sendPage(request, reply, html);
  const encoding = encodingFor(request.headers["accept-encoding"]);
  const body = encoding === "identity" ? Buffer.from(html) : await squeezed(encoding, html);
  const page: KeptPage = { policy, etag: etagOf(html), bodies: { [encoding]: body } };
  // The community's name is on every page.
  pages.keep(key, page, ["settings", ...visit.shows], begun, Date.now());
  return sendKept(request, reply, page);
}
