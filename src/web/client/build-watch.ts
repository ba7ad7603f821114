import { TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";

declare global {
  interface Window {
    __reactRouterManifest?: { version: string };
  }
}

/** Called when the server runs a newer build than this page. */
type Told = (id: string) => void;
let newer: string | null = null;
const listeners = new Set<Told>();

/**
 * Calls back when there is a newer build, at once if that is known already. Returns a function that
 * unsubscribes.
 */
export function onNewBuild(told: Told): () => void {
  listeners.add(told);
  if (newer) told(newer);
  return () => void listeners.delete(told);
}

export const newBuildIsWaiting = () => newer !== null;

type Line = { effectiveType?: string; saveData?: boolean };
/** Whether the connection is too slow or too expensive for background checks. */
export const isSlow = (line: Line | undefined) => line?.saveData === true || /(^|-)2g$/.test(line?.effectiveType ?? "");

/** Checks for a newer build about a second after the start, then hourly. A failed check is ignored. */
export function watchBuilds() {
  const own = window.__reactRouterManifest?.version;
  const look = async () => {
    const answer = await fetch(urls.latestBuild(), { cache: "no-cache" }).catch(() => null);
    if (!answer?.ok) return;
    const { id } = (await answer.json()) as { id: string };
    if (!own || id === own || id === newer) return;
    newer = id;
    for (const told of listeners) told(id);
  };
  const line = "connection" in navigator ? (navigator.connection as Line) : undefined;
  if (!isSlow(line)) setTimeout(() => void look(), TOKENS.buildFirstLook);
  setInterval(() => void look(), TOKENS.buildInterval);
}
