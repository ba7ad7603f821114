import { randomBytes } from "node:crypto";
import { renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  RouterContextProvider as Contexts,
  ServerRouter,
} from "react-router";
import wordFiles from "virtual:word-files";
import { MarkupRendererProvider } from "./cached-markup/index.ts";
import { createMarkupRenderer } from "./cached-markup/markup-renderer.tsx";
import { setSecureCookies } from "./cookies.ts";
import { translateMessage } from "./translate-for.ts";
import { type RequestContext, requestContext } from "./request-context.ts";
import type { RootData } from "./root.tsx";
import {
  LOCALES,
  loadTranslations,
  siteSection,
  getTranslations,
  TranslationProvider,
} from "./i18n/index.ts";

await Promise.all(Object.keys(LOCALES).map((locale) => loadTranslations(locale, "/")));

export { createRequestHandler } from "react-router";
/** Translates a message outside a page. */
export const translateInto = translateMessage;

/** The server uses these for forms that it refuses before any page is rendered. */
export { renderSubmittedForm, readSubmittedForm } from "./resubmit-form.ts";
export { renderEmailHtml } from "./emails/email-template.tsx";

/**
 * Creates the router context of a request. It is created inside the bundle, so that server and bundle use
 * the same copy of the router.
 */
export function createRouterContext(ctx: RequestContext): RouterContextProvider {
  setSecureCookies(ctx.app.origin().startsWith("https:"));
  const contexts = new Contexts();
  contexts.set(requestContext, ctx);
  return contexts;
}

/**
 * Renders the page to one string, which costs half as much as a stream. The router would suspend while it
 * embeds the loaders' data, so the data is removed before rendering and written into the page afterwards.
 * This relies on internals of the pinned router; a browser test checks that pages hydrate. Loaders here
 * return values, never promises.
 */
export default async function render(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
) {
  const ctx = context.get(requestContext);
  ctx.nonce = randomBytes(16).toString("base64url");
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const data = router.serverHandoffStream ? await readChunks(router.serverHandoffStream) : [];
  delete router.serverHandoffStream;
  const began = performance.now();
  const page = renderToString(
    <TranslationProvider i18n={getTranslations(ctx.locale)}>
      <MarkupRendererProvider value={createRenderer(ctx, router)}>
        <ServerRouter
          context={limitManifest(router, translationFiles(ctx.locale, request.url))}
          url={request.url}
          nonce={ctx.nonce}
        />
      </MarkupRendererProvider>
    </TranslationProvider>,
  );
  ctx.renderTime = performance.now() - began;
  const end = page.lastIndexOf("</body>");
  // The page is returned as a string in the context. In the response's body it would be encoded to bytes and
  // decoded again.
  ctx.page = `<!DOCTYPE html>${insertHead(page.slice(0, end), ctx)}${embedData(data, ctx.nonce)}${noticeRegion(ctx)}${page.slice(end)}`;
  return new Response(null, { status, headers });
}

/** Returns the renderer of shared HTML; null in development, where components change. */
function createRenderer({ app }: RequestContext, { staticHandlerContext }: EntryContext) {
  const root: RootData | undefined = staticHandlerContext.loaderData["root"];
  return import.meta.env.PROD && app.markup && root ? createMarkupRenderer(app.markup, root) : null;
}

const insertHead = (page: string, { head, me }: RequestContext) =>
  me || head === "" ? page : page.replace("</head>", () => `${head}</head>`);

/**
 * Live region for notices, at the end of the body, where React leaves elements that it has not rendered. It is
 * always there, so that screen readers announce what is added to it (`client/notice-toasts.ts`).
 */
const noticeRegion = ({ me, noticeHtml }: RequestContext) =>
  me ? `<div id="notices" role="status">${noticeHtml}</div>` : "";

/**
 * Translation files that the browser will need. They are preloaded, since the browser would otherwise find
 * them one after the other.
 */
const translationFiles = (locale: string, url: string) => {
  const files = wordFiles[locale] ?? {};
  return [files[""], files[siteSection(new URL(url).pathname)]].filter((file) => file !== undefined);
};

/**
 * Removes the routes of other pages from the manifest, since the router renders elements for each of its
 * routes. The given files become imports of the manifest's entry, so that they are preloaded.
 */
function limitManifest(router: EntryContext, files: string[]): EntryContext {
  const { entry, ...manifest } = router.manifest;
  const ids = router.staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = Object.fromEntries(ids.map((id) => [id, manifest.routes[id]]));
  return {
    ...router,
    manifest: { ...manifest, routes, entry: { ...entry, imports: [...entry.imports, ...files] } },
  };
}

/**
 * Logs errors that no loader or action has turned into a response. Malformed requests are not logged as
 * errors.
 */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const { app, incident } = context.get(requestContext);
  app.log.error({ incident, err: error }, "a page failed");
};

async function readChunks(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }));
  return chunks;
}

/**
 * Embeds the loaders' data as the router's own script would, but as text of a separate element: inside a
 * script every quote would have to be escaped. In JSON, an escaped `<` cannot close the element.
 */
const embedData = (chunks: string[], nonce: string) =>
  `<script type="application/json" id="handed-over">${chunks.join("").replaceAll("<", "\\u003c")}</script>` +
  `<script nonce="${nonce}">${READ_EMBEDDED_DATA}</script>`;

const READ_EMBEDDED_DATA =
  "(({ streamController }) => { " +
  "streamController.enqueue(document.getElementById('handed-over').textContent); " +
  "streamController.close(); })(window.__reactRouterContext)";
