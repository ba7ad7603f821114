import type { PageCopy } from "./offline-store.ts";

/**
 * Paths of pages that are often read again and are not confidential: no conversations, settings, moderation
 * or admin pages.
 */
const COPIED_PATHS = [
  /^\/(groups|discussions|resources|users|bookmarks|rules|privacy|about)?$/,
  /^\/groups\/(?!new$|desk$)[^/]+$/,
  /^\/resources\/(?!new$)[^/]+$/,
  /^\/resources\/collections\/(?!new$)[^/]+$/,
  /^\/(discussions|users|announcements)\/(?!new$)[^/]+$/,
];
export const isCopyable = (pathname: string): boolean => COPIED_PATHS.some((it) => it.test(pathname));

/**
 * Elements that do not work without the app, or show content from outside the page: many pages list the
 * latest conversations beside their text.
 */
const EXCLUDED = [
  "script",
  "noscript",
  "template",
  "iframe",
  "dialog",
  ".shell-aside",
  ".systembar",
  "#notices",
  "link:not([rel=stylesheet], [rel=icon])",
  "input[type=hidden]",
  "input[type=password]",
].join(", ");

/** Maximum bytes of a page, and of each picture on it. */
const MAX_BYTES = { page: 1_000_000, picture: 150_000 };
/** Maximum number of pictures in the copy of a page. */
const MAX_PICTURES = 40;

/** Returns the current page as HTML without scripts, or null if it is too large. */
export function copyPage(): PageCopy | null {
  // In a separate document, the browser does not fetch pictures whose addresses are changed.
  const inert = document.implementation.createHTMLDocument();
  const copy = inert.importNode(document.documentElement, true);
  for (const it of copy.querySelectorAll(EXCLUDED)) it.remove();
  const files: Map<string, () => Promise<Response | null>> = new Map([["/offline-copy.js", fetchCopyScript]]);
  for (const link of copy.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]"))
    rewriteFile(files, link, "href", fetchStyle);
  loadedFonts().forEach((font) => files.set(font, () => fetchCached(font)));
  const pictures = [...copy.querySelectorAll("img")].filter((it) =>
    isAssetPath(it.getAttribute("src") ?? ""),
  );
  for (const image of pictures.slice(0, MAX_PICTURES)) rewriteFile(files, image, "src", fetchPicture);
  const html = `<!doctype html>\n${copy.outerHTML}`;
  if (html.length > MAX_BYTES.page) return null;
  return {
    path: location.pathname + location.search,
    // The title without the count of unread notifications, which changes independently of the page.
    title: document.title.replace(/^\(\d+\) /, ""),
    language: document.documentElement.lang,
    html,
    files,
  };
}

const isAssetPath = (address: string) => /^\/(assets|files|grounds)\//.test(address);

/**
 * Adds a mark to an address. The service worker answers addresses with this mark, and only those, from the
 * offline store.
 */
const toOfflineUrl = (address: string) => `${address}${address.includes("?") ? "&" : "?"}offline`;

function rewriteFile(
  files: Map<string, () => Promise<Response | null>>,
  it: Element,
  name: "href" | "src",
  take: (address: string) => Promise<Response | null>,
) {
  const address = it.getAttribute(name)!;
  files.set(address, () => take(address));
  it.setAttribute(name, toOfflineUrl(address));
  it.removeAttribute("srcset");
  it.removeAttribute("loading");
}

/** Fetches a file, from the browser's cache if possible. */
async function fetchCached(address: string): Promise<Response | null> {
  const answer = await fetch(address, { cache: "force-cache" }).catch(() => null);
  return answer?.ok && !/no-store/.test(answer.headers.get("cache-control") ?? "") ? answer : null;
}

/** The only script of a copy (public/offline-copy.js), in its current version. */
async function fetchCopyScript(): Promise<Response | null> {
  const answer = await fetch("/offline-copy.js").catch(() => null);
  return answer?.ok ? answer : null;
}

async function fetchPicture(address: string): Promise<Response | null> {
  const answer = await fetchCached(address);
  const bytes = await answer?.clone().blob();
  return bytes && bytes.size <= MAX_BYTES.picture ? answer : null;
}

/**
 * Fetches a style sheet and changes the addresses of its fonts to offline ones, if the page has loaded them.
 */
async function fetchStyle(address: string): Promise<Response | null> {
  const answer = await fetchCached(address);
  if (!answer) return null;
  const here = new Set(loadedFonts());
  const text = (await answer.text()).replace(/url\((\/assets\/[\w.-]+\.woff2)\)/g, (whole, font: string) =>
    here.has(font) ? `url(${toOfflineUrl(font)})` : whole,
  );
  return new Response(text, { headers: { "content-type": "text/css; charset=utf-8" } });
}

const loadedFonts = (): string[] =>
  performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.startsWith(`${location.origin}/assets/`) && name.endsWith(".woff2"))
    .map(({ name }) => name.slice(location.origin.length));
