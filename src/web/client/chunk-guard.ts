import { DESIGN_TOKENS } from "../tokens.ts";
import { hasNetwork } from "./network-state.ts";

const RELOADS_KEY = "kith:chunk-reloads";

/**
 * Whether a page whose chunk failed to load may reload: at most once in ten seconds per path, and not during
 * its first load (a reload would fail the same way). Stores the time if it may.
 */
export function canReload(
  path: string,
  now: number,
  storage: Pick<Storage, "getItem" | "setItem">,
  firstLoad: boolean,
): boolean {
  if (firstLoad) return false;
  const last: Record<string, number> = JSON.parse(storage.getItem(RELOADS_KEY) ?? "{}");
  if (now - (last[path] ?? -Infinity) < DESIGN_TOKENS.chunkReloadPause) return false;
  const recent = Object.entries(last).filter(([, at]) => now - at < DESIGN_TOKENS.chunkReloadPause);
  storage.setItem(RELOADS_KEY, JSON.stringify({ ...Object.fromEntries(recent), [path]: now }));
  return true;
}

let isFirstLoad = true;
/** Marks the page as loaded: from now on, a missing chunk may reload it. */
export const markPageLoaded = () => void setTimeout(() => (isFirstLoad = false), 0);

let optionalLoads = 0;
/**
 * Loads a chunk that the page does not need to work. If loading fails, the caller gets the error, and the
 * page is not reloaded.
 */
export async function loadOptionalChunk<T>(load: () => Promise<T>): Promise<T> {
  optionalLoads++;
  try {
    return await load();
  } finally {
    optionalLoads--;
  }
}

/**
 * Reloads the page when a chunk no longer exists because of a newer build. Without a network the page is not
 * reloaded: the reload would fail, and the page would be lost.
 */
export function guardChunks() {
  addEventListener("vite:preloadError", (event) => {
    if (
      optionalLoads > 0 ||
      !hasNetwork() ||
      !canReload(location.pathname, Date.now(), sessionStorage, isFirstLoad)
    )
      return;
    event.preventDefault();
    location.reload();
  });
}
