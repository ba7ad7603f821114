import { loadWhenOnline } from "./lazy-component.ts";
import type { LiveConnection, ConnectionConfig } from "./live-connection.ts";

/** State of the live connection: none yet, open, or lost. */
export type ConnectionState = "none" | "open" | "lost";

/**
 * A change of the viewer's counters, from their own channel. `news`: there is a new post about which the
 * viewer wants to be notified.
 */
export type ViewerUpdate = {
  about: string;
  conversationId: string | null;
  /** The calendar event that has changed or been answered. */
  eventId?: string | null;
  seriesId?: string;
  datePollId?: string;
  news?: boolean;
};

const stateListeners = new Set<(state: ConnectionState) => void>();
const updateListeners = new Set<(nudge: ViewerUpdate) => void>();
let connectionState: ConnectionState = "none";
let currentConnection: { personId: string; line: Promise<LiveConnection | null> } | null = null;

/**
 * Opens this window's live connection for a signed-in person; null if that is impossible. It opens once the
 * page is shown and the browser is idle, since no page depends on it.
 */
export function openConnection(personId: string, config: ConnectionConfig): Promise<LiveConnection | null> {
  if (currentConnection?.personId === personId) return currentConnection.line;
  void currentConnection?.line.then((line) => line?.close());
  const line = whenIdle()
    // If the device is offline then, the connection opens once the device is online.
    .then(() => loadWhenOnline(() => import("./after-hydration.ts")))
    .then(({ openLiveConnection: connectLine }) =>
      connectLine(personId, config, { onState: setConnectionState, onNudge: notifyUpdateListeners }),
    )
    .catch(() => null);
  currentConnection = { personId, line };
  return line;
}

function whenIdle(): Promise<void> {
  return new Promise((then) => {
    // Safari does not support `requestIdleCallback`.
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => then(), { timeout: 2_000 });
    else setTimeout(then, 500);
  });
}

function setConnectionState(now: ConnectionState) {
  connectionState = now;
  for (const listener of stateListeners) listener(now);
}
const notifyUpdateListeners = (nudge: ViewerUpdate) => updateListeners.forEach((listener) => listener(nudge));

export const getConnectionState = () => connectionState;
/** Calls back when the connection opens or is lost. Returns a function that unsubscribes. */
export function onConnectionState(listener: (state: ConnectionState) => void): () => void {
  stateListeners.add(listener);
  return () => void stateListeners.delete(listener);
}
/** Calls back when counters of the viewer may have changed. Returns a function that unsubscribes. */
export function onViewerUpdate(listener: (nudge: ViewerUpdate) => void): () => void {
  updateListeners.add(listener);
  return () => void updateListeners.delete(listener);
}
