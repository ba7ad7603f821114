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
import { setSecureCookies } from "./cookies.ts";
import { translateMessage } from "./translate-for.ts";
import { type RequestContext, requestContext } from "./request-context.ts";
import {
  LOCALES,
  loadTranslations,
  siteSection,
  getTranslations,
  TranslationProvider,
} from "./i18n/index.ts";

await Promise.all(Object.keys(LOCALES).map((locale) => loadTranslations(locale, "/")));

export { createRequestHandler } from "react-router";
/** Translates a message outside of a page. */
export const sayIn = translateMessage;

/** For forms that are refused before any page is rendered. */
export { givenBack, givenIn } from "./resubmit-form.ts";
export { faceOf } from "./emails/email-template.tsx";

/**
 * The router context of a request. Created here, so that bundle and server use the same copy of the router.
 */
export function contextOf(ctx: RequestContext): RouterContextProvider {
  setSecureCookies(ctx.app.origin().startsWith("https:"));
  const contexts = new Contexts();
  contexts.set(requestContext, ctx);
  return contexts;
}

/**
 * Renders the page to one string, which is half the work of a stream. The router suspends on its own transfer
 * of the loaders' data, so that it is taken out before rendering and written into the page afterwards. This
 * relies on internals of the pinned router; a browser test checks that pages hydrate. Loaders here return
 * values, never promises.
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
      <ServerRouter
        context={limitManifest(router, translationFiles(ctx.locale, request.url))}
        url={request.url}
        nonce={ctx.nonce}
      />
    </TranslationProvider>,
  );
  ctx.renderTime = performance.now() - began;
  const end = page.lastIndexOf("</body>");
  // Passed beside the response: a body would be encoded to bytes and decoded back into the same text.
  ctx.page = `<!DOCTYPE html>${insertHead(page.slice(0, end), ctx)}${embedData(data, ctx.nonce)}${page.slice(end)}`;
  return new Response(null, { status, headers });
}

const insertHead = (page: string, { head, me }: RequestContext) =>
  me || head === "" ? page : page.replace("</head>", () => `${head}</head>`);

/**
 * Translation files that the browser will need, preloaded since it would otherwise discover them one after
 * the other.
 */
const translationFiles = (locale: string, url: string) => {
  const files = wordFiles[locale] ?? {};
  return [files[""], files[siteSection(new URL(url).pathname)]].filter((file) => file !== undefined);
};

/**
 * Keeps only the routes of this page in the manifest, since the router renders elements for every route it
 * lists. What is needed at once is preloaded.
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
 * Logs errors that no loader or action turned into a response of ours. Malformed requests are not logged as
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
 * The loaders' data, embedded as the router's own script would do it, but as text of a separate element:
 * inside a script every quote would have to be escaped. It is JSON, where an escaped `<` cannot close the
 * element.
 */
const embedData = (chunks: string[], nonce: string) =>
  `<script type="application/json" id="handed-over">${chunks.join("").replaceAll("<", "\\u003c")}</script>` +
  `<script nonce="${nonce}">${READ_EMBEDDED_DATA}</script>`;

const READ_EMBEDDED_DATA =
  "(({ streamController }) => { " +
  "streamController.enqueue(document.getElementById('handed-over').textContent); " +
  "streamController.close(); })(window.__reactRouterContext)";
