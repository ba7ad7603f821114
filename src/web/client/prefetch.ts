import { matchRoutes, type RouteObject } from "react-router";
import { PREFETCH_HEADER, PREFETCH_LIFETIME } from "../prefetch-header.ts";
import { hasNetwork } from "./network-state.ts";

/** The parts of the router's manifest that are read here: the files of each route. */
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

/** Milliseconds that the pointer or focus must stay on a link before its page is fetched. */
const DWELL_TIME = 65;

/**
 * Pages whose data may be fetched before they are opened. Excluded are pages that mark something as read or
 * change often: notifications, conversations, resources, moderation.
 */
const READING_PAGES = /^\/(discussions(\/[\w-]+)?|groups(\/[\w-]+)?|people\/[\w-]+|resources)?$/;

/** Milliseconds after typing during which the text may not be stored yet: data fetched then would lack it. */
const UNSAVED_TIME = 10_000;

/**
 * Fetches scripts and data of a page once the pointer rests on a link to it, or the link is touched or
 * focused, so that opening it waits for neither. Nothing is fetched in data-saving mode.
 */
export function startPrefetching(manifest: RouteManifest | undefined): void {
  if (!manifest || navigator.connection?.saveData) return;
  const routes = toRouteObjects(manifest);
  const fetchFiles = (url: URL) => hasNetwork() && fetchOnce(listRouteFiles(manifest, routes, url.pathname));
  let dwelling: ReturnType<typeof setTimeout> | undefined;
  let typedAt = -Infinity;
  /** Path of the latest response and when it arrived; Infinity while it is pending. */
  let fetched = { path: "", at: -Infinity };
  const isUsable = () => performance.now() - fetched.at < PREFETCH_LIFETIME * 1_000;
  const prefetch = (url: URL) => {
    fetchFiles(url);
    const path = dataPath(url);
    const isUnsaved = performance.now() - typedAt < UNSAVED_TIME;
    if (path === null || isUnsaved || !hasNetwork() || (fetched.path === path && isUsable())) return;
    const answer = (fetched = { path, at: Infinity });
    // `reload` bypasses the browser's cache, so an earlier response is not used again.
    void fetch(path, { cache: "reload", headers: { [PREFETCH_HEADER]: "1" } }).then(
      () => (answer.at = performance.now()),
      () => (answer.at = -Infinity),
    );
  };
  /**
   * Discards the prefetched response, since the reader's input may change that page. A new request that
   * bypasses the browser's cache deletes the cached response as soon as that request starts.
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
      // If a link is opened without a pointer (for example by key), there is no time to fetch data in
      // advance. The page's scripts are then all fetched at the same time.
      const url = findPageUrl(target);
      if (url) fetchFiles(url);
    },
    passive,
  );
}

/**
 * Returns the page that a link leads to; null for other elements, other sites, downloads and the current
 * page.
 */
function findPageUrl(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  // Members may write any address.
  if (!link || link.target || link.hasAttribute("download") || !URL.canParse(link.href)) return null;
  const url = new URL(link.href);
  const isHere = url.pathname + url.search === location.pathname + location.search;
  return url.origin === location.origin && !isHere ? url : null;
}

/**
 * Returns the address under which the router fetches a page's data; null for pages whose data must not be
 * fetched in advance.
 */
export function dataPath({ pathname, search }: Pick<URL, "pathname" | "search">): string | null {
  if (!READING_PAGES.test(pathname)) return null;
  return (pathname === "/" ? "/_root" : pathname) + ".data" + search;
}

/** Returns the routes as a tree. */
export function toRouteObjects({ routes }: RouteManifest, parentId?: string): RouteObject[] {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) =>
      index ? { id, path, index } : { id, path, children: toRouteObjects({ routes }, id) },
    );
}

/** Returns the scripts and style sheets of the routes that match an address. */
export function listRouteFiles({ routes }: RouteManifest, tree: RouteObject[], pathname: string): string[] {
  const matches = matchRoutes(tree, pathname) ?? [];
  return matches.flatMap(({ route }) => {
    const { module, imports = [], css = [] } = routes[route.id!]!;
    return [module, ...imports, ...css];
  });
}

const requested = new Set<string>();

/**
 * Fetches files into the browser's cache. Modules are not fetched by preload links: if that fails, the
 * browser cannot import the module later.
 */
function fetchOnce(files: string[]): void {
  for (const file of files) {
    if (requested.has(file) || document.head.querySelector(`link[href="${file}"]`)) continue;
    requested.add(file);
    void fetch(file).catch(() => requested.delete(file));
  }
}
