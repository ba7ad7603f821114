import { TOKENS } from "../tokens.ts";
import { hasNetwork } from "./network.ts";

const REMEMBERED = "kith:chunk-reloads";

/**
 * Whether a page whose chunk failed to load may be loaded anew: at most once in ten seconds and path, and not while
 * it is loading for the first time (a reload would meet the same fault). Remembers that it was.
 */
export function mayReload(path: string, now: number, kept: Pick<Storage, "getItem" | "setItem">, firstLoad: boolean): boolean {
  if (firstLoad) return false;
  const last = JSON.parse(kept.getItem(REMEMBERED) ?? "{}") as Record<string, number>;
  if (now - (last[path] ?? -Infinity) < TOKENS.chunkReloadPause) return false;
  const recent = Object.entries(last).filter(([, at]) => now - at < TOKENS.chunkReloadPause);
  kept.setItem(REMEMBERED, JSON.stringify({ ...Object.fromEntries(recent), [path]: now }));
  return true;
}

let firstLoad = true;
/** The page stands: from here on a stale chunk may reload it. */
export const settled = () => void setTimeout(() => (firstLoad = false), 0);

let spared = 0;
/** Fetches a part of the app that the page can do without: where it is not to be had, who asked is told, and the page stays. */
export async function fetchPart<T>(load: () => Promise<T>): Promise<T> {
  spared++;
  try {
    return await load();
  } finally {
    spared--;
  }
}

/** A newer build has other chunks: what this page asks for may be gone. Then it is loaded whole; without a network it would only go. */
export function guardChunks() {
  addEventListener("vite:preloadError", (event) => {
    if (spared > 0 || !hasNetwork() || !mayReload(location.pathname, Date.now(), sessionStorage, firstLoad)) return;
    event.preventDefault();
    location.reload();
  });
}
