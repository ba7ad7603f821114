import { whenThereIsOne } from "./lazy-part.ts";
import type { Line, LineConfig } from "./live-line.ts";

/** Where a page stands: no line yet, an open one, or one that broke. */
export type LineState = "none" | "open" | "lost";

/** What changed about the viewer's figures, as their own channel says it; `news`: somebody wrote where they want to hear of it. */
export type Nudge = { about: string; conversationId: string | null; news?: boolean };

const states = new Set<(state: LineState) => void>();
const nudges = new Set<(nudge: Nudge) => void>();
let state: LineState = "none";
let opened: { personId: string; line: Promise<Line | null> } | null = null;

/**
 * The one line of this window, for somebody who is signed in; null where there can be none. It is opened once the page
 * stands and the browser has nothing else to do: nobody waits for it, and no page needs it.
 */
export function openLine(personId: string, config: LineConfig): Promise<Line | null> {
  if (opened?.personId === personId) return opened.line;
  void opened?.line.then((line) => line?.close());
  const line = idle()
    // Who is in a tunnel just then has one when they are out of it.
    .then(() => whenThereIsOne(() => import("./live-line.ts")))
    .then(({ connectLine }) => connectLine(personId, config, { onState: stateIs, onNudge: tell }))
    .catch(() => null);
  opened = { personId, line };
  return line;
}

function idle(): Promise<void> {
  return new Promise((then) => {
    // Safari has no such call.
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
/** Calls back when the line opens or breaks. Returns the way to stop. */
export function onLineState(told: (state: LineState) => void): () => void {
  states.add(told);
  return () => void states.delete(told);
}
/** Calls back when figures of the viewer may have changed. Returns the way to stop. */
export function onNudge(told: (nudge: Nudge) => void): () => void {
  nudges.add(told);
  return () => void nudges.delete(told);
}
