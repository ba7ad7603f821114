import { randomUUID } from "node:crypto";
import type { Messaging } from "#baas/messaging";
import type { Logs } from "#baas/logging";
import type { SharedObjects } from "#baas/shared-objects";
import type { DataTables } from "#baas/data";
import type { Sealer } from "#community/accounts";
import type { Settings } from "#community/settings";
import type { Database, Db } from "#platform/database";
import type { Limits } from "#platform/limits";
import { KeyedQueue } from "#platform/queue";
import type { FailureDigest, Log } from "#platform/log";
import type { Caller, LogSubscription, SharedObjectSubscription, Subscription } from "./realtime-caller.ts";
import { logListenerName } from "./log-subscriptions.ts";
import { SubscriptionIndex } from "./subscription-index.ts";
import { NamedListeners } from "./named-listeners.ts";
import { LookupQueue } from "./lookup-queue.ts";
import { PresenceVisibility } from "./presence-visibility.ts";
import { RemotePresence } from "./pub-sub/remote-presence.ts";
import type { PubSubMessage } from "./pub-sub/process-messages.ts";
import { SubscriptionLimits } from "./subscription-limits.ts";
import { type SharedObjectEvent, DeliveryOrder, sharedObjectListenerName } from "./shared-objects/index.ts";
import { TableSubscriptionIndex } from "./data/table-subscription-index.ts";

/** Dependencies of the real-time API, provided by `src/app/app.ts`. */
export type RealtimeContext = {
  db: Db;
  /** Database with a few connections of its own for socket packets, so that pages do not wait for packets. */
  lookups: Db;
  database: Database;
  now: () => Date;
  /** Decrypts the tickets of pages. */
  sealer: Sealer;
  settings: Settings;
  channels: Messaging;
  tables: DataTables;
  sharedObjects: SharedObjects;
  logs: Logs;
  limits: Limits;
  log: Log;
  origin: () => string;
  /** App id of this installation, which clients connect with. */
  appId: string;
  clientKey: string;
  serverKey: string;
  /** Sends a channel command of this process to the other processes. */
  publishToOthers: (message: ChannelCommand | PubSubMessage) => void;
  /** Sends a shared-object event of this process to the other processes. */
  shareWithOthers: (event: SharedObjectEvent) => void;
};

/** Context of packet handlers: queries use `lookups`, and failures are counted. */
export type PacketContext = RealtimeContext & { failures: FailureDigest };

/** A channel command that a person has sent over the connection `connectionId`. */
export type ChannelCommand = { channel: string; type: string; connectionId: string; userId: string };

/** All connections of this process and their subscriptions. */
export class SubscriptionRegistry {
  /** Identifies this process among those on the same database. */
  readonly id = randomUUID();
  readonly callers = new Set<Caller>();
  readonly index = new SubscriptionIndex();
  readonly tables = new TableSubscriptionIndex();
  /** Subscription limits of callers. */
  readonly limits = new SubscriptionLimits();
  /** Queue of database lookups for packets. */
  readonly lookups = new LookupQueue();
  /** Pub/sub presence in other processes. */
  readonly elsewhere = new RemotePresence();
  /** Records which people each listener has been shown on discussion and conversation channels. */
  readonly presenceVisibility = new PresenceVisibility();
  /** Listeners of logs and shared objects, by name. */
  readonly listeners = new NamedListeners();
  /** Queues of shared objects, and the versions last delivered. */
  readonly objectQueue = new KeyedQueue();
  readonly order = new DeliveryOrder();
  /** Callers that receive one kind of event on a channel (`channel/side`), with their subscription ids. */
  readonly #sides = new Map<string, Map<Caller, Set<string>>>();
  /** Ids of people who subscribe to their own channel. */
  readonly own = new Set<string>();

  /** Adds a subscription to the indexes, so that events reach it. */
  open(caller: Caller, subscription: Subscription): void {
    this.close(caller, subscription.id);
    caller.subscriptions.set(subscription.id, subscription);
    this.limits.add(caller, subscription);
    if (subscription.kind === "table") return this.tables.add(caller, subscription);
    if (subscription.kind === "records") return this.index.add(caller, subscription);
    if (subscription.kind !== "channel")
      return this.listeners.add(listenerNameOf(subscription), caller, subscription.id);
    const key = `${subscription.channel}/${subscription.side}`;
    const side = this.#sides.get(key) ?? new Map<Caller, Set<string>>();
    side.set(caller, (side.get(caller) ?? new Set()).add(subscription.id));
    this.#sides.set(key, side);
    const own = OWN_CHANNEL.exec(key)?.[1];
    if (own) this.own.add(own);
  }

  /** Closes a subscription; returns it if it was open. */
  close(caller: Caller, id: string): Subscription | undefined {
    const subscription = caller.subscriptions.get(id);
    if (!subscription) return undefined;
    caller.subscriptions.delete(id);
    this.limits.remove(subscription);
    if (subscription.kind === "table") this.tables.remove(caller, subscription);
    else if (subscription.kind === "records") this.index.remove(caller, subscription);
    else if (subscription.kind !== "channel") this.listeners.remove(listenerNameOf(subscription), caller, id);
    else this.#leaveSide(`${subscription.channel}/${subscription.side}`, caller, id);
    return subscription;
  }

  #leaveSide(key: string, caller: Caller, id: string) {
    const side = this.#sides.get(key);
    const ids = side?.get(caller);
    ids?.delete(id);
    if (ids?.size === 0) side!.delete(caller);
    if (side?.size !== 0) return;
    this.#sides.delete(key);
    this.own.delete(OWN_CHANNEL.exec(key)?.[1] ?? "");
  }

  /** Callers that receive one kind of event on a channel, with their subscription ids. */
  on(
    channel: string,
    side: "connect" | "messages" | "commands" | "users",
  ): ReadonlyMap<Caller, ReadonlySet<string>> {
    return this.#sides.get(`${channel}/${side}`) ?? NO_CALLERS;
  }
}

const listenerNameOf = (it: SharedObjectSubscription | LogSubscription) =>
  it.kind === "shared" ? sharedObjectListenerName(it) : logListenerName(it);

const OWN_CHANNEL = /^user:(.*)\/messages$/;
const NO_CALLERS: ReadonlyMap<Caller, ReadonlySet<string>> = new Map();
