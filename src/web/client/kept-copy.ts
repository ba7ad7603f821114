import type { Copy } from "./kept-store.ts";

/**
 * Pages that are read repeatedly and are not confidential: no conversations, settings, moderation or admin
 * pages.
 */
const READ = [
  /^\/(groups|discussions|resources|users|bookmarks|rules|privacy|about)?$/,
  /^\/groups\/(?!new$|desk$)[^/]+$/,
  /^\/resources\/(?!new$)[^/]+$/,
  /^\/resources\/shelves\/(?!new$)[^/]+$/,
  /^\/(discussions|users|announcements)\/(?!new$)[^/]+$/,
];
export const isKept = (pathname: string): boolean => READ.some((it) => it.test(pathname));

/**
 * Elements that do nothing without the app, or show more than the page: the latest conversations are beside
 * many.
 */
const LEFT_OUT = [
  "script",
  "noscript",
  "template",
  "iframe",
  "dialog",
  ".shell-aside",
  ".systembar",
  "link:not([rel=stylesheet], [rel=icon])",
  "input[type=hidden]",
  "input[type=password]",
].join(", ");

/** Maximum bytes of a page, and of a picture on it; and the maximum number of pictures. */
const LARGEST = { page: 1_000_000, picture: 150_000 };
const PICTURES = 40;

/** The current page as HTML without scripts; null if it is too large. */
export function copyOfPage(): Copy | null {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const it of copy.querySelectorAll(LEFT_OUT)) it.remove();
  const files: Map<string, () => Promise<Response | null>> = new Map([["/kept.js", keptScript]]);
  for (const link of copy.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")) withFile(files, link, "href", style);
  fontsHere().forEach((font) => files.set(font, () => fetched(font)));
  const pictures = [...copy.querySelectorAll("img")].filter((it) => isOurs(it.getAttribute("src") ?? ""));
  for (const image of pictures.slice(0, PICTURES)) withFile(files, image, "src", picture);
  const html = `<!doctype html>\n${copy.outerHTML}`;
  if (html.length > LARGEST.page) return null;
  return { path: location.pathname + location.search, title: document.title, language: document.documentElement.lang, html, files };
}

const isOurs = (address: string) => /^\/(assets|files|grounds)\//.test(address);

/** The service worker answers addresses with this mark from the offline store, and no others. */
const marked = (address: string) => `${address}${address.includes("?") ? "&" : "?"}kept`;

function withFile(files: Copy["files"], it: Element, name: "href" | "src", take: (address: string) => Promise<Response | null>) {
  const address = it.getAttribute(name)!;
  (files as Map<string, () => Promise<Response | null>>).set(address, () => take(address));
  it.setAttribute(name, marked(address));
  it.removeAttribute("srcset");
  it.removeAttribute("loading");
}

/** Read from the browser's cache where possible. */
async function fetched(address: string): Promise<Response | null> {
  const answer = await fetch(address, { cache: "force-cache" }).catch(() => null);
  return answer?.ok && !/no-store/.test(answer.headers.get("cache-control") ?? "") ? answer : null;
}

/** The only script of a copy (public/kept.js), in its current version. */
async function keptScript(): Promise<Response | null> {
  const answer = await fetch("/kept.js").catch(() => null);
  return answer?.ok ? answer : null;
}

async function picture(address: string): Promise<Response | null> {
  const answer = await fetched(address);
  const bytes = await answer?.clone().blob();
  return bytes && bytes.size <= LARGEST.picture ? answer : null;
}

/** Style sheets name fonts: those that the page loaded are renamed to their offline addresses. */
async function style(address: string): Promise<Response | null> {
  const answer = await fetched(address);
  if (!answer) return null;
  const here = new Set(fontsHere());
  const text = (await answer.text()).replace(/url\((\/assets\/[\w.-]+\.woff2)\)/g, (whole, font: string) =>
    here.has(font) ? `url(${marked(font)})` : whole,
  );
  return new Response(text, { headers: { "content-type": "text/css; charset=utf-8" } });
}

const fontsHere = (): string[] =>
  performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.startsWith(`${location.origin}/assets/`) && name.endsWith(".woff2"))
    .map(({ name }) => name.slice(location.origin.length));
