import { SECOND } from "#platform/clock";
import type { DomainEvent } from "#platform/outbox";
import { type DeliveryQueue, createDeliveryQueue } from "../delivery-queue.ts";
import type { RealtimeContext, SubscriptionRegistry } from "../subscription-registry.ts";
import { deliverPubSubCommand, deliverPresenceChange } from "./pub-sub-presence.ts";
import { deliverMessage, deliverScheduledMessage } from "./message-delivery.ts";
import type { PresenceChange } from "./remote-presence.ts";
import type { PresentClient, PubSubMessage } from "./process-messages.ts";

export {
  joinPubSubChannel,
  sendPubSubCommand,
  leavePubSubChannel,
  listPubSubPresent,
  announceUserChange,
} from "./pub-sub-presence.ts";
export { isPubSubChannel, readChannelSubscription } from "./channel-subscription.ts";
export type { PubSubMessage } from "./process-messages.ts";

/** Milliseconds between two reports of the client count to other processes. */
const HEARTBEAT_INTERVAL = 2 * SECOND;
/** Minimum milliseconds between two requests for the list of clients, and between two answers. */
const THROTTLE_INTERVAL = 200;

export type PubSub = {
  /** Handles a message from another process. */
  receive: (message: PubSubMessage) => void;
  /** Delivers a scheduled message that became due in this or another process. */
  publish: (domainEvent: DomainEvent) => void;
  stop: () => void;
};

/**
 * Starts pub/sub: delivers what is published in this process to local listeners, then to the other processes.
 */
export function startPubSub(
  app: Pick<RealtimeContext, "db" | "channels" | "log" | "publishToOthers">,
  subscriptions: SubscriptionRegistry,
  queue: DeliveryQueue,
): PubSub {
  // All presence changes use one queue, so that arrivals and departures are delivered in order.
  const show = (changes: PresenceChange[]) =>
    changes.length > 0 &&
    queue.run("presence", async () => {
      for (const change of changes) await deliverPresenceChange(app, subscriptions, change);
    });
  // Commands may be lost: when too many are waiting, new ones are dropped.
  const lost = throttle(() =>
    app.log.warn("channel commands of API clients were dropped: too many are waiting"),
  );
  const commands = createDeliveryQueue(lost);
  const published = (it: { channel: string; message: (PubSubMessage & { free: "message" })["message"] }) => {
    deliverMessage(subscriptions, it);
    app.publishToOthers({ free: "message", ...it });
  };
  app.channels.listeners.add(published);
  const ask = throttle(() => app.publishToOthers({ free: "ask" }));
  const answer = throttle(() =>
    app.publishToOthers({ free: "here", from: subscriptions.id, people: listLocalPresent(subscriptions) }),
  );
  let counted = 0;
  const beat = setInterval(() => {
    show(subscriptions.elsewhere.removeSilent(performance.now()));
    const before = counted;
    counted = listLocalPresent(subscriptions).length;
    // A process without clients stops reporting once it has reported zero.
    if (before + counted > 0) app.publishToOthers({ free: "beat", from: subscriptions.id, count: counted });
  }, HEARTBEAT_INTERVAL);
  return {
    receive(message) {
      const now = performance.now();
      if (message.free === "message") return deliverMessage(subscriptions, message);
      if (message.free === "command")
        return commands.run(message.channel, () => deliverPubSubCommand(app, subscriptions, message));
      if (message.free === "ask") return answer();
      if (message.free === "here")
        return void show(subscriptions.elsewhere.replace(message.from, message.people, now));
      if (message.free === "beat")
        return subscriptions.elsewhere.agrees(message.from, message.count, now) ? undefined : ask();
      const { free: _, from, ...change } = message;
      const news = subscriptions.elsewhere.note(from, change, now);
      if (news) show([news]);
    },
    publish: (domainEvent) =>
      queue.run(`channel/${String(domainEvent["channel"])}`, () =>
        deliverScheduledMessage(app, subscriptions, domainEvent),
      ),
    stop() {
      clearInterval(beat);
      app.channels.listeners.delete(published);
    },
  };
}

const listLocalPresent = (subscriptions: SubscriptionRegistry): PresentClient[] =>
  [...subscriptions.callers].flatMap(({ connectionId, viewer, present }) =>
    [...present].map((channel) => ({ channel, connectionId, userId: viewer.id })),
  );

/**
 * Runs `work` at once and ignores further calls within the interval, so that one answer serves many
 * requests.
 */
function throttle(work: () => void): () => void {
  let doneAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now - doneAt < THROTTLE_INTERVAL) return;
    doneAt = now;
    work();
  };
}
