import type { FastifyInstance } from "fastify";
import type { Socket } from "socket.io";
import type { LogBatch } from "#baas/logging";
import { clientAddress, clientNetwork, type TrustedProxies } from "#platform/client-address";
import { MINUTE } from "#platform/clock";
import { isTableEvent } from "#baas/data";
import { FailureDigest } from "#platform/log";
import type { DomainEvent, EventRecords } from "#platform/outbox";
import { Refusal } from "#platform/refusal";
import { Caller } from "./realtime-caller.ts";
import { deliverChannelCommand } from "./community-channels.ts";
import { createSocketServer, type SocketPeers } from "./socket-server.ts";
import { authenticateHandshake } from "./handshake.ts";
import { type DeliveryQueue, createDeliveryQueue } from "./delivery-queue.ts";
import { requireNamespace, isAwaitingNamespace } from "./legacy-clients.ts";
import { type RemoteLogBatch, deliverLogLines, deliverRemoteLogLines } from "./log-subscriptions.ts";
import { acceptSocket } from "./socket-packets.ts";
import { endSessions } from "./session-end.ts";
import { startPubSub, type PubSubMessage } from "./pub-sub/index.ts";
import {
  type PacketContext,
  type RealtimeContext,
  SubscriptionRegistry,
  type ChannelCommand,
} from "./subscription-registry.ts";
import { type SharedObjectEvent, createSharedObjectReceiver } from "./shared-objects/index.ts";
import {
  recheckTableSubscriptions,
  forgetChangedRoles,
  refreshChangedTables,
} from "./data/recheck-subscriptions.ts";
import { hasTableSubscribers, type TableChange, deliverTableChange } from "./data/table-change-delivery.ts";
import { hasEntitySubscribers, deliverEntityChange } from "./data/entity-change-delivery.ts";
import { deliverEvent } from "./event-delivery.ts";

export type { RemoteLogBatch } from "./log-subscriptions.ts";
export type { PubSubMessage } from "./pub-sub/index.ts";
export type { RealtimeContext, ChannelCommand } from "./subscription-registry.ts";
export type { SharedObjectEvent } from "./shared-objects/index.ts";

export type Realtime = {
  /**
   * Delivers a domain event of this or another process to its subscribers. `whole`: details beyond the
   * event's row.
   */
  deliver: (domainEvent: DomainEvent, id: string, whole: EventRecords | null) => void;
  /** Delivers a channel command of another process. */
  pass: (message: ChannelCommand | PubSubMessage) => void;
  /** Delivers a shared-object event of another process. */
  share: (event: SharedObjectEvent) => void;
  /** Delivers log lines of this or another process. */
  log: (batch: LogBatch | RemoteLogBatch) => void;
  /** Call when events may have been missed: disconnects all clients, which then reload. */
  missed: () => void;
  /** Resolves when all events so far have been delivered. */
  idle: () => Promise<void>;
  /** Number of open connections. */
  countConnections: () => number;
  close: () => Promise<void>;
};

/** Serves the real-time API: the protocol of `backendless-rt-client`, for apps and our own pages. */
export function serveRealtime(
  server: FastifyInstance,
  app: RealtimeContext & { trustProxy: TrustedProxies | false; peers?: SocketPeers | null },
): Realtime {
  const subscriptions = new SubscriptionRegistry();
  const missed = () => {
    subscriptions.elsewhere.clear();
    subscriptions.callers.forEach((caller) => caller.end());
  };
  const queue = createDeliveryQueue((error) => {
    app.log.warn({ err: error }, "a domain event could not be delivered to sockets");
    missed();
  });
  const pubSub = startPubSub(app, subscriptions, queue);
  const io = createSocketServer(server, app);
  const failures = new FailureDigest(app.log, "packets of sockets could not be answered");
  const packets: PacketContext = { ...app, db: app.lookups, failures };
  for (const name of ["/", `/${app.appId}`]) {
    const space = io.of(name);
    space.use(async (socket, next) =>
      next(await authenticateSocket(packets, app.trustProxy, subscriptions, socket)),
    );
    space.on("connection", (socket) =>
      isAwaitingNamespace(socket)
        ? requireNamespace(subscriptions, socket)
        : acceptSocket(packets, subscriptions, socket),
    );
  }
  const sweep = setInterval(
    () => void endSessions(app, subscriptions, [...subscriptions.callers]).catch(() => {}),
    MINUTE,
  );
  const close = async () => {
    clearInterval(sweep);
    pubSub.stop();
    failures.close();
    await io.close();
    await queue.idle();
  };
  // Open connections would keep the server from closing, so they are closed first.
  server.addHook("preClose", close);
  return {
    deliver(domainEvent, id, whole) {
      if (domainEvent.type === "channel.published") return pubSub.publish(domainEvent);
      if (subscriptions.callers.size === 0) return;
      if (isTableEvent(domainEvent))
        return deliverToTables(app, subscriptions, queue, { domainEvent, id, whole });
      const concerned = forgetChangedRoles(subscriptions, domainEvent);
      if (concerned.length > 0) queue.run("roles", () => recheckCallers(app, subscriptions, concerned));
      if (domainEvent.type === "tables.changed")
        return queue.run("tables", () => refreshChangedTables(app, subscriptions));
      if (hasEntitySubscribers(subscriptions, domainEvent))
        queue.run("viewed", () => deliverEntityChange(app, subscriptions, domainEvent));
      queue.run(
        String(domainEvent["discussionId"] ?? domainEvent["groupId"] ?? domainEvent["conversationId"] ?? ""),
        () => deliverEvent(app, subscriptions, domainEvent),
      );
    },
    pass: (message) =>
      "free" in message
        ? pubSub.receive(message)
        : subscriptions.callers.size > 0 &&
          queue.run(message.channel, () => deliverChannelCommand(app, subscriptions, message)),
    share: createSharedObjectReceiver(app, subscriptions),
    log: (batch) =>
      subscriptions.callers.size > 0 &&
      queue.run(`console/${batch.kind}`, () =>
        "lines" in batch
          ? deliverLogLines(app, subscriptions, batch)
          : deliverRemoteLogLines(app, subscriptions, batch),
      ),
    missed,
    idle: () => queue.idle(),
    countConnections: () => subscriptions.callers.size,
    close,
  };
}

/**
 * Checks sessions before table subscriptions, so that a subscription that ends with its session reports the
 * session as the reason.
 */
async function recheckCallers(
  app: Pick<
    RealtimeContext,
    "db" | "database" | "now" | "settings" | "tables" | "log" | "publishToOthers" | "shareWithOthers"
  >,
  subscriptions: SubscriptionRegistry,
  callers: Caller[],
) {
  await endSessions(app, subscriptions, callers);
  await recheckTableSubscriptions(app, subscriptions, callers);
}

/**
 * Delivers a table change. Changes of one table are delivered in order; most tables have no subscribers and
 * cost one index lookup.
 */
function deliverToTables(
  app: Pick<RealtimeContext, "db" | "database" | "now" | "settings" | "tables">,
  subscriptions: SubscriptionRegistry,
  queue: DeliveryQueue,
  change: TableChange,
) {
  if (hasTableSubscribers(subscriptions, change.domainEvent))
    queue.run(`table/${String(change.domainEvent["table"])}`, () =>
      deliverTableChange(app, subscriptions, change),
    );
}

/**
 * Authenticates a handshake and attaches the caller to the socket. Returns the error of a refused handshake,
 * undefined otherwise.
 */
async function authenticateSocket(
  app: PacketContext,
  trustProxy: TrustedProxies | false,
  subscriptions: SubscriptionRegistry,
  socket: Socket,
): Promise<Error | undefined> {
  const address = clientNetwork(clientAddress(socket.request, trustProxy));
  try {
    socket.data = new Caller(socket, {
      ...(await authenticateHandshake(app, subscriptions, socket, address)),
      address,
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    app.failures.report(error);
    return new Error("Something went wrong. Try again in a moment.");
  }
}
