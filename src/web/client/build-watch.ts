import type { RouteManifest } from "./prefetch.ts";
import { DESIGN_TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";

type NetworkInfo = { effectiveType?: string; saveData?: boolean };

declare global {
  interface Navigator {
    /** Not in all browsers. */
    connection?: NetworkInfo;
  }
  interface Window {
    __reactRouterManifest?: RouteManifest & { version: string };
  }
}

/** Called when the server runs a newer build than this page. */
type BuildListener = (id: string) => void;
let newerBuild: string | null = null;
const listeners = new Set<BuildListener>();

/**
 * Calls the listener when there is a newer build, immediately if a newer one is known already. Returns a
 * function that unsubscribes.
 */
export function onNewBuild(buildListener: BuildListener): () => void {
  listeners.add(buildListener);
  if (newerBuild) buildListener(newerBuild);
  return () => void listeners.delete(buildListener);
}

export const hasNewBuild = () => newerBuild !== null;

/** Whether the connection is too slow or too expensive for background checks. */
export const isSlowNetwork = (line: NetworkInfo | undefined) =>
  line?.saveData === true || /(^|-)2g$/.test(line?.effectiveType ?? "");

/** Checks for a newer build one second after the start, then every hour. A failed check is ignored. */
export function watchBuilds() {
  const own = window.__reactRouterManifest?.version;
  const look = async () => {
    const answer = await fetch(urls.latestBuild(), { cache: "no-cache" }).catch(() => null);
    if (!answer?.ok) return;
    const { id }: { id: string } = await answer.json();
    if (!own || id === own || id === newerBuild) return;
    newerBuild = id;
    for (const listener of listeners) listener(id);
  };
  if (!isSlowNetwork(navigator.connection)) setTimeout(() => void look(), DESIGN_TOKENS.buildFirstLook);
  setInterval(() => void look(), DESIGN_TOKENS.buildInterval);
}
