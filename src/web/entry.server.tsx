import { randomBytes } from "node:crypto";
import type { ReactElement } from "react";
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
import { cookiesAreSecure } from "./cookies.ts";
import { Pieces, PiecesContext } from "./pieces.ts";
import { type Visit, visitContext } from "./visit.ts";
import { LOCALES, loadWords, partOf, sayWhole, wordsFor, WordsProvider } from "./words/index.ts";

await Promise.all(Object.keys(LOCALES).map((locale) => loadWords(locale, "/")));

export { createRequestHandler } from "react-router";
/** A sentence in the words of a locale, for what is said elsewhere than on a page. */
export const sayIn = (locale: string, sentence: string) => sayWhole(wordsFor(locale), sentence);

/** For a form that is refused before any page is made. */
export { givenBack, givenIn } from "./given-back.ts";
export { faceOf } from "./letters/letter.tsx";

/** What the adapter hands in with a request. Made here, so that bundle and server speak of the same context. */
export function contextOf(visit: Visit): RouterContextProvider {
  cookiesAreSecure(visit.house.origin().startsWith("https:"));
  const contexts = new Contexts();
  contexts.set(visitContext, visit);
  return contexts;
}

const pieces = new Pieces();

/**
 * Renders the page to one string: half the work of a stream. The router suspends on its own hand-over of the loaders'
 * data, so that is taken out before rendering and written into the page after it. This leans on the inside of the pinned
 * router; a browser test sees that pages hydrate. Loaders here return values, never promises.
 */
export default async function render(
  request: Request,
  status: number,
  headers: Headers,
  router: EntryContext,
  context: RouterContextProvider,
) {
  const visit = context.get(visitContext);
  visit.nonce = randomBytes(16).toString("base64url");
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const data = router.serverHandoffStream ? await chunksOf(router.serverHandoffStream) : [];
  delete router.serverHandoffStream;
  const ofPage = pieces.forPage();
  const textOf = (part: ReactElement) => renderToString(<WordsProvider words={wordsFor(visit.locale)}>{part}</WordsProvider>);
  const page = textOf(
    <PiecesContext value={ofPage}>
      <ServerRouter context={withItsOwn(router, wordsOf(visit.locale, request.url))} url={request.url} nonce={visit.nonce} />
    </PiecesContext>,
  );
  ofPage.keep(page, textOf);
  const end = page.lastIndexOf("</body>");
  // Handed over beside the answer: a body would be encoded to bytes and read back into this very text.
  visit.page = `<!DOCTYPE html>${withHead(page.slice(0, end), visit)}${handOver(data, visit.nonce)}${page.slice(end)}`;
  return new Response(null, { status, headers });
}

const withHead = (page: string, { head, me }: Visit) => (me || head === "" ? page : page.replace("</head>", () => `${head}</head>`));

/** The files of words that the browser will need, which it would otherwise hear of one after the other. */
const wordsOf = (locale: string, url: string) => {
  const files = wordFiles[locale] ?? {};
  return [files[""], files[partOf(new URL(url).pathname)]].filter((file) => file !== undefined);
};

/** The router makes elements of all routes it is told of, for each page; a page is made of few. What it needs at once is fetched early. */
function withItsOwn(router: EntryContext, files: string[]): EntryContext {
  const { entry, ...manifest } = router.manifest;
  const ids = router.staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = Object.fromEntries(ids.map((id) => [id, manifest.routes[id]]));
  return { ...router, manifest: { ...manifest, routes, entry: { ...entry, imports: [...entry.imports, ...files] } } };
}

/** What no loader and no action turned into an answer of ours. What was asked wrongly is nobody's fault here. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  const { house, incident } = context.get(visitContext);
  house.log.error({ incident, err: error }, "a page failed");
};

async function chunksOf(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }));
  return chunks;
}

/**
 * The loaders' data, handed to the router as its own script would. It stands beside that script as text: within a script it would be a text
 * in a text, with a mark before each of its quotes. It is JSON, in which a `<` can be written so that it ends nothing.
 */
const handOver = (chunks: string[], nonce: string) =>
  `<script type="application/json" id="handed-over">${chunks.join("").replaceAll("<", "\\u003c")}</script>` +
  `<script nonce="${nonce}">${TAKE}</script>`;

const TAKE =
  "(({ streamController }) => { streamController.enqueue(document.getElementById('handed-over').textContent); streamController.close(); })(window.__reactRouterContext)";
