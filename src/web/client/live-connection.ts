import RTClient from "backendless-rt-client";
import { DESIGN_TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { deleteCopies } from "./offline-store.ts";
import type { ConnectionState, ViewerUpdate } from "./live-state.ts";

export type ConnectionConfig = { appId: string; clientKey: string };
type ConnectionListeners = {
  onState: (state: ConnectionState) => void;
  onNudge: (nudge: ViewerUpdate) => void;
};
/** A person on a channel, with the connection they joined by. */
type PresentPerson = { connectionId: string; userId: string | null };
export type PresenceStatus = {
  status: "LISTING" | "CONNECTED" | "DISCONNECTED" | "USERUPDATE";
  data: PresentPerson[];
};

/** Record changes of a table to subscribe to. */
export type ChangeSubscription = { table: string; events: string[]; where: string };
export type ChangeListeners = {
  changed: (record: Record<string, unknown>) => void;
  ready?: () => void;
  onAccessLost?: () => void;
};

export type LiveConnection = {
  follow: (what: ChangeSubscription[], listeners: ChangeListeners) => () => void;
  join: (
    channel: string,
    handlers: { typing: (userId: string) => void; status: (status: PresenceStatus) => void },
  ) => { typing: () => void; leave: () => void };
  /** Calls back on new log messages and after every reconnect. Only for admins. */
  tailLogs: (listener: () => void) => () => void;
  close: () => void;
};

/** The person was signed out, so there is no point in reconnecting. */
class SignedOutError extends Error {}

/**
 * Opens a live connection with the official client. The client reconnects and restores its subscriptions
 * automatically.
 */
export function openLiveConnection(
  personId: string,
  { appId, clientKey }: ConnectionConfig,
  { onState, onNudge }: ConnectionListeners,
): LiveConnection {
  const client = new RTClient({
    appId,
    connectQuery: () => ({}),
    hostResolver: () => location.origin,
    async socketConfigTransform(config) {
      // Each attempt needs a new ticket, because a ticket is valid for only a minute.
      const userToken = await fetchTicket().catch((error: unknown) => {
        if (error instanceof SignedOutError) close();
        throw error;
      });
      // Key and token are not in the query string, which proxies log.
      config.options.auth = { apiKey: clientKey, userToken };
      // Connects by WebSocket; polls where a proxy refuses WebSockets.
      config.options.transports = ["websocket", "polling"];
      config.options.tryAllTransports = true;
      return config;
    },
  });
  const watching = watchNetwork(client, onState);
  const close = () => {
    watching();
    client.terminate();
    onState("none");
  };
  client.subscriptions.onPubSubMessage(
    { channel: `user:${personId}` },
    {
      onData: ({ message }: { message: ViewerUpdate }) => onNudge(message),
      onReady: () => onNudge({ about: "line", conversationId: null }),
    },
  );
  return {
    follow: (what, listeners) => subscribeToChanges(client, what, listeners),
    join: (channel, handlers) => joinChannel(client, channel, handlers),
    tailLogs: (listener) => subscribeToLogs(client, listener),
    close,
  };
}

async function fetchTicket(): Promise<string> {
  const answer = await fetch(urls.liveTicket(), { cache: "no-store" });
  if (answer.status === 401) {
    void deleteCopies().catch(() => {});
    throw new SignedOutError();
  }
  const { ticket: fresh }: { ticket: string } = await answer.json();
  return fresh;
}

/**
 * Reports the state of the connection. When the network is lost, the connection is closed immediately; the
 * socket would notice the loss only after most of a minute.
 */
function watchNetwork(client: RTClient, onState: (state: ConnectionState) => void): () => void {
  let wasOpen = false;
  let late: ReturnType<typeof setTimeout> | undefined;
  const lost = (after: number) => {
    clearTimeout(late);
    if (wasOpen || !navigator.onLine) late = setTimeout(() => onState("lost"), after);
  };
  client.addConnectEventListener(() => {
    clearTimeout(late);
    wasOpen = true;
    onState("open");
  });
  // A restarting server is reachable again within moments, so a short loss is not reported.
  client.addDisconnectEventListener(() => lost(navigator.onLine ? DESIGN_TOKENS.lineGrace : 0));
  const offline = () => {
    client.disconnect();
    lost(0);
  };
  const online = () => client.connect();
  addEventListener("offline", offline);
  addEventListener("online", online);
  return () => {
    clearTimeout(late);
    removeEventListener("offline", offline);
    removeEventListener("online", online);
  };
}

function subscribeToChanges(
  client: RTClient,
  what: ChangeSubscription[],
  listeners: ChangeListeners,
): () => void {
  const wanted = what.flatMap(({ table, events, where }) =>
    events.map((event) => ({ tableName: table, event, whereClause: where })),
  );
  const subscriptions = wanted.map((options, index) =>
    client.subscriptions.onObjectsChanges(options, {
      onData: listeners.changed,
      onError: listeners.onAccessLost,
      // Subscriptions are confirmed in order: after the last one, all are active.
      onReady: () => index === wanted.length - 1 && listeners.ready?.(),
    }),
  );
  return () => subscriptions.forEach((it) => it.stop());
}

function joinChannel(
  client: RTClient,
  channel: string,
  handlers: Parameters<LiveConnection["join"]>[1],
): ReturnType<LiveConnection["join"]> {
  const { subscriptions, methods } = client;
  const sides = [
    subscriptions.connectToPubSub({ channel }, {}),
    subscriptions.onPubSubUserStatus(
      { channel },
      { onData: (status: PresenceStatus) => handlers.status(status) },
    ),
    subscriptions.onPubSubCommand(
      { channel },
      { onData: ({ userId }: { userId: string }) => handlers.typing(userId) },
    ),
  ];
  let last = -Infinity;
  return {
    typing() {
      if (performance.now() - last < DESIGN_TOKENS.typingPause) return;
      last = performance.now();
      methods.sendPubSubCommand({ channel, type: "typing" }).catch(() => {});
    },
    leave: () => sides.forEach((it) => it.stop()),
  };
}

function subscribeToLogs({ subscriptions }: RTClient, listener: () => void): () => void {
  const listeners = { onData: listener, onReady: listener };
  const kinds = [
    subscriptions.onLoggingMessages({}, listeners),
    subscriptions.onConsoleMessages({}, listeners),
    subscriptions.onDeveloperMessage({}, listeners),
    subscriptions.onAutomationLoggingMessages({}, listeners),
  ];
  return () => kinds.forEach((it) => it.stop());
}
