import type pg from "pg";
import { cancelScheduledMessages } from "#baas/messaging";
import { listenToLogs } from "#baas/logging";
import { mailStatusNotice, mailAppealNotice } from "#community/accounts";
import { mailGuestDecision } from "#community/moderation";
import { queueWebhookDeliveries } from "#community/webhooks";
import { createBus } from "#platform/bus";
import { SECOND } from "#platform/clock";
import type { Log } from "#platform/log";
import { isObject } from "#platform/objects";
import type { Redis } from "#platform/redis";
import { type DomainEvent, onCommitted, type EventRecords } from "#platform/outbox";
import { isTableEvent } from "#baas/data";
import { triggerAutomations } from "#baas/automations";
import { createDispatcher, eventHandlers, cacheTagsFor } from "#event-handlers";
import type { GuestPageCache } from "#web/server";
import type {
  SharedObjectEvent,
  RemoteLogBatch,
  Realtime,
  ChannelCommand,
  PubSubMessage,
} from "#api/realtime";
import type { RestApi } from "#api/rest";
import type { AppContext } from "./app.ts";
import { RecentNames } from "./recent-names.ts";

/** Milliseconds within which a bus message of another process arrives, even on a busy machine. */
const BUS_DELAY = SECOND;

/** Milliseconds for which caches stay valid while the bus is down. */
const TRUSTED_WITHOUT_BUS = 2 * SECOND;

/**
 * Bus messages other than cache tags: a domain event, a channel or log message, or a change of a shared
 * object.
 */
export type BusMessage =
  | { id: string; domainEvent: DomainEvent; whole?: EventRecords }
  | { message: ChannelCommand | PubSubMessage }
  | { sharedObjectEvent: SharedObjectEvent }
  | { logBatch: RemoteLogBatch };

const BUS_MESSAGE_FIELDS = ["domainEvent", "message", "sharedObjectEvent", "logBatch"];
/** Other messages are those of another version of Kith. */
const isBusMessage = (it: unknown): it is BusMessage =>
  isObject(it) && BUS_MESSAGE_FIELDS.some((field) => field in it);

type Options = {
  app: AppContext;
  connection: pg.ClientConfig;
  redis: Redis | null;
  log: Log;
  now: () => Date;
  pages: GuestPageCache;
  rest: RestApi;
  realtime: Realtime;
  /** Called when events were queued for webhooks, if this process sends them. */
  wakeWebhooks?: (() => void) | undefined;
};

/** Number of recent event ids that are remembered: as many as another process may still send. */
const REMEMBERED_EVENTS = 10_000;
/**
 * Maximum bytes of the records that are sent with an event; the receiver reads longer records from the
 * database.
 */
const INLINE_BYTES = 2_500;

/**
 * Distributes domain events: at once to sockets and, through the bus, to other processes, then to the
 * handlers. The dispatcher also finds events of a process that has no sockets, or that ended before it sent
 * them.
 */
export function createEventHub(options: Options) {
  const { app, connection, redis, log, now, pages, rest, realtime, wakeWebhooks } = options;
  const shown = new RecentNames(REMEMBERED_EVENTS);
  const changed = (things: string[] | null) => {
    if (things === null || things.includes("settings")) app.settings.forget();
    for (const cache of [pages, app.sharedPosts]) {
      if (things === null) cache.clear();
      else for (const thing of things) cache.forget(thing);
    }
  };
  /** Called when events may have been missed. */
  const doubted = () => {
    changed(null);
    rest.missed();
  };
  /** Clears all rate limits when a test installation was emptied, as if each process had just started. */
  const emptied = ({ type }: DomainEvent) => {
    if (type === "backend.emptied")
      app.limits
        .clear()
        .catch((error: unknown) => log.warn({ err: error }, "rate limits could not be cleared"));
  };
  const show = (domainEvent: DomainEvent, id: string, whole: EventRecords | null = null) => {
    if (!shown.isNew(id)) return;
    const things = cacheTagsFor(domainEvent);
    changed(things);
    emptied(domainEvent);
    rest.happened(domainEvent);
    realtime.deliver(domainEvent, id, whole);
    bus.publish(things, {
      id,
      domainEvent,
      ...(whole && fitsInline(whole) && { whole }),
    } satisfies BusMessage);
  };
  /**
   * Sends sockets an event that the dispatcher has found. Other processes send their table events over the
   * bus, in order and with records, but the dispatcher may find them first. Such an event therefore waits;
   * if its bus message arrives meanwhile, the event is not sent again.
   */
  const showFound = (domainEvent: DomainEvent, id: string) => {
    if (!isTableEvent(domainEvent)) return show(domainEvent, id);
    setTimeout(() => show(domainEvent, id), BUS_DELAY).unref();
  };
  const indexEvents = (domainEvents: readonly DomainEvent[]) => app.search.indexer.react(...domainEvents);
  const relay = createDispatcher({
    app: {
      database: app.following,
      settingsChanged: app.settings.forget,
      pushToSockets: showFound,
      indexEvents,
      startAutomations: (domainEvent, id) => triggerAutomations(app.flows, domainEvent, id),
      async queueWebhooks(pending) {
        if (await queueWebhookDeliveries(app.following, pending)) wakeWebhooks?.();
      },
      withdrawContent: (personId) => cancelScheduledMessages(app.channels, personId),
      mailStatusNotice: (notice) => mailStatusNotice(app, notice),
      mailAppealNotice: (notice) => mailAppealNotice(app, notice),
      mailGuestDecision: (decision) => mailGuestDecision(app, decision),
    },
    reactions: eventHandlers,
    log,
    now,
  });
  const bus = createBus({
    connection,
    redis,
    log,
    onLost() {
      doubted();
      realtime.missed();
    },
    onMessages(changedTags, messages) {
      changed(changedTags);
      for (const it of messages.filter(isBusMessage))
        if ("message" in it) realtime.pass(it.message);
        else if ("sharedObjectEvent" in it) realtime.share(it.sharedObjectEvent);
        else if ("logBatch" in it) realtime.log(it.logBatch);
        else if (shown.isNew(it.id)) {
          emptied(it.domainEvent);
          rest.happened(it.domainEvent);
          realtime.deliver(it.domainEvent, it.id, it.whole ?? null);
        }
      relay.wake();
    },
  });
  // While the bus is down, changes in other processes are unknown, so caches are cleared at this interval.
  const doubting = setInterval(() => bus.listening || doubted(), TRUSTED_WITHOUT_BUS).unref();
  // Updates open pages before the handlers run.
  const unlisten = onCommitted((domainEvent, id, whole) => {
    show(domainEvent, id, whole);
    relay.wake();
  });
  const deafen = listenToLogs(app.logs, (batch) => {
    realtime.log(batch);
    bus.publish([], { logBatch: { kind: batch.kind, id: batch.id } } satisfies BusMessage);
  });
  return {
    publishToOthers: (message: ChannelCommand | PubSubMessage) =>
      bus.publish([], { message } satisfies BusMessage),
    shareWithOthers: (objectEvent: SharedObjectEvent) =>
      bus.publish([], { sharedObjectEvent: objectEvent } satisfies BusMessage),
    async stopDispatching() {
      unlisten();
      deafen();
      await relay.stop();
    },
    close: () => (clearInterval(doubting), bus.close()),
  };
}

const fitsInline = (whole: EventRecords) => Buffer.byteLength(JSON.stringify(whole)) <= INLINE_BYTES;
