import { whenThereIsOne } from "./lazy-part.ts";
import type { Line, LineConfig } from "./live-line.ts";

/** State of the live connection: none yet, open, or lost. */
export type LineState = "none" | "open" | "lost";

/**
 * A change of the viewer's counters, as their own channel reports it; `news`: a new post where the viewer
 * wants to be notified.
 */
export type Nudge = { about: string; conversationId: string | null; news?: boolean };

const states = new Set<(state: LineState) => void>();
const nudges = new Set<(nudge: Nudge) => void>();
let state: LineState = "none";
let opened: { personId: string; line: Promise<Line | null> } | null = null;

/**
 * The live connection of this window, for a signed-in person; null if there can be none. It opens once the
 * page is shown and the browser is idle, since no page depends on it.
 */
export function openLine(personId: string, config: LineConfig): Promise<Line | null> {
  if (opened?.personId === personId) return opened.line;
  void opened?.line.then((line) => line?.close());
  const line = idle()
    // If the device is offline just then, it connects once it is online.
    .then(() => whenThereIsOne(() => import("./live-line.ts")))
    .then(({ connectLine }) => connectLine(personId, config, { onState: stateIs, onNudge: tell }))
    .catch(() => null);
  opened = { personId, line };
  return line;
}

function idle(): Promise<void> {
  return new Promise((then) => {
    // Safari does not support it.
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => then(), { timeout: 2_000 });
    else setTimeout(then, 500);
  });
}

function stateIs(now: LineState) {
  state = now;
  for (const told of states) told(now);
}
const tell = (nudge: Nudge) => nudges.forEach((told) => told(nudge));

export const lineState = () => state;
/** Calls back when the connection opens or is lost. Returns a function that unsubscribes. */
export function onLineState(told: (state: LineState) => void): () => void {
  states.add(told);
  return () => void states.delete(told);
}
/** Calls back when counters of the viewer may have changed. Returns a function that unsubscribes. */
export function onNudge(told: (nudge: Nudge) => void): () => void {
  nudges.add(told);
  return () => void nudges.delete(told);
}
