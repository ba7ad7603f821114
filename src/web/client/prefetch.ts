import { matchRoutes, type RouteObject } from "react-router";
import { PREFETCH_HEADER, PREFETCH_LIFETIME } from "../prefetch-header.ts";
import { hasNetwork } from "./network-state.ts";

/** The router's manifest as far as it is read here: which files a route needs. */
type ManifestRoute = {
  id: string;
  parentId?: string;
  path?: string;
  index?: boolean;
  module: string;
  imports?: string[];
  css?: string[];
};
export type RouteManifest = { routes: Record<string, ManifestRoute> };

/** Milliseconds that the pointer or focus rests on a link before its page is fetched. */
const DWELL_TIME = 65;

/**
 * Pages whose data may be fetched before they are opened. Not those that mark something as read, or show what
 * changes at each look: notifications, conversations, resources, moderation.
 */
const READING_PAGES = /^\/(discussions(\/[\w-]+)?|groups(\/[\w-]+)?|people\/[\w-]+|resources)?$/;

/** Milliseconds after typing within which it may not be stored yet, so that fetched data would lack it. */
const UNSAVED_TIME = 10_000;

/**
 * Fetches scripts and data of a page once the pointer rests on a link to it, or it is touched or focused, so
 * that opening it waits for neither. People who save data are left alone.
 */
export function startPrefetching(manifest: RouteManifest | undefined): void {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (!manifest || connection?.saveData) return;
  const routes = toRouteObjects(manifest);
  const fetchFiles = (url: URL) => hasNetwork() && fetchOnce(filesFor(manifest, routes, url.pathname));
  let dwelling: ReturnType<typeof setTimeout> | undefined;
  let typedAt = -Infinity;
  /** The latest answer and when it arrived; infinite until then. */
  let fetched = { path: "", at: -Infinity };
  const isUsable = () => performance.now() - fetched.at < PREFETCH_LIFETIME * 1_000;
  const prefetch = (url: URL) => {
    fetchFiles(url);
    const path = dataPath(url);
    const isUnsaved = performance.now() - typedAt < UNSAVED_TIME;
    if (path === null || isUnsaved || !hasNetwork() || (fetched.path === path && isUsable())) return;
    const answer = (fetched = { path, at: Infinity });
    // An answer from before is not used again.
    void fetch(path, { cache: "reload", headers: { [PREFETCH_HEADER]: "1" } }).then(
      () => (answer.at = performance.now()),
      () => (answer.at = -Infinity),
    );
  };
  /**
   * Input of the reader may change the page: it must not open with the answer from before. A request that
   * bypasses the browser's cache removes that answer when it starts.
   */
  const forget = () => {
    if (!isUsable()) return;
    const request = new AbortController();
    fetch(fetched.path, { cache: "reload", signal: request.signal }).catch(() => {});
    setTimeout(() => request.abort());
    fetched = { path: "", at: -Infinity };
  };
  const after = (delay: number) => (event: Event) => {
    clearTimeout(dwelling);
    const url = findPageUrl(event.target);
    if (url) dwelling = setTimeout(prefetch, delay, url);
  };
  const passive = { passive: true, capture: true };
  addEventListener("pointerover", after(DWELL_TIME), passive);
  addEventListener("focusin", after(DWELL_TIME), passive);
  addEventListener("pointerdown", after(0), passive);
  addEventListener("submit", forget, passive);
  addEventListener(
    "input",
    () => {
      typedAt = performance.now();
      forget();
    },
    passive,
  );
  addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof Element && target.closest("button, [role=button], label, summary")) forget();
      // Without a pointer, such as by a key: the scripts are fetched in one wave at least.
      const url = findPageUrl(target);
      if (url) fetchFiles(url);
    },
    passive,
  );
}

/** The page that a link leads to; null for other elements, other sites, downloads and this page. */
function findPageUrl(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  const isHere = url.pathname + url.search === location.pathname + location.search;
  return url.origin === location.origin && !isHere ? url : null;
}

/** Address under which the router fetches a page's data; null if it is only fetched when the page opens. */
export function dataPath({ pathname, search }: Pick<URL, "pathname" | "search">): string | null {
  if (!READING_PAGES.test(pathname)) return null;
  return (pathname === "/" ? "/_root" : pathname) + ".data" + search;
}

/** The routes as a tree. */
export function toRouteObjects({ routes }: RouteManifest, parentId?: string): RouteObject[] {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) =>
      index ? { id, path, index } : { id, path, children: toRouteObjects({ routes }, id) },
    );
}

/** Scripts and style sheets of the routes that match an address. */
export function filesFor({ routes }: RouteManifest, tree: RouteObject[], pathname: string): string[] {
  const matches = matchRoutes(tree, pathname) ?? [];
  return matches.flatMap(({ route }) => {
    const { module, imports = [], css = [] } = routes[route.id!]!;
    return [module, ...imports, ...css];
  });
}

const requested = new Set<string>();

/**
 * Fetches files into the browser's cache. Not by preload links for modules: a module that could not be fetched
 * that way cannot be imported later.
 */
function fetchOnce(files: string[]): void {
  for (const file of files) {
    if (requested.has(file) || document.head.querySelector(`link[href="${file}"]`)) continue;
    requested.add(file);
    void fetch(file).catch(() => requested.delete(file));
  }
}
