import type { Accounts } from "#community/people";
import type { Settings } from "#community/settings";
import type { Db } from "#platform/database";
import type { Limits } from "#platform/limits";
import type { Log } from "#platform/log";
import type { Caller, Subscription } from "./caller.ts";
import { Filing } from "./filing.ts";

/** What `src/app.ts` hands in. */
export type RealtimeHouse = {
  db: Db;
  accounts: Accounts;
  settings: Settings;
  limits: Limits;
  log: Log;
  origin: () => string;
  /** Of this installation: who calls shows one of the keys. */
  appId: string;
  clientKey: string;
  serverKey: string;
  /** The word of somebody here, for the other processes. */
  tellOthers: (said: Said) => void;
};

/** Said on a channel, by the connection `connectionId` of a person. */
export type Said = { channel: string; type: string; connectionId: string; userId: string };

/** Everybody on the line in this process, and what each listens to. */
export class Room {
  readonly callers = new Set<Caller>();
  readonly filing = new Filing();
  /** Who is connected to a channel, or listens to a side of it: `channel/side` → callers, each with the ids of its subscriptions. */
  readonly #sides = new Map<string, Map<Caller, Set<string>>>();
  /** Ids of the people who listen to their own channel. */
  readonly own = new Set<string>();

  /** Puts a subscription where what happens finds it. */
  open(caller: Caller, subscription: Subscription): void {
    caller.subscriptions.set(subscription.id, subscription);
    if (subscription.kind === "records") return this.filing.add(caller, subscription);
    const key = `${subscription.channel}/${subscription.side}`;
    const side = this.#sides.get(key) ?? new Map<Caller, Set<string>>();
    side.set(caller, (side.get(caller) ?? new Set()).add(subscription.id));
    this.#sides.set(key, side);
    const own = OWN.exec(key)?.[1];
    if (own) this.own.add(own);
  }

  /** True when it was open. */
  close(caller: Caller, id: string): Subscription | undefined {
    const subscription = caller.subscriptions.get(id);
    if (!subscription) return undefined;
    caller.subscriptions.delete(id);
    if (subscription.kind === "records") this.filing.remove(caller, subscription);
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
    this.own.delete(OWN.exec(key)?.[1] ?? "");
  }

  /** Callers on one side of a channel, with the ids under which they listen. */
  on(channel: string, side: "connect" | "messages" | "commands" | "users"): ReadonlyMap<Caller, ReadonlySet<string>> {
    return this.#sides.get(`${channel}/${side}`) ?? NOBODY;
  }
}

const OWN = /^user:(.*)\/messages$/;
const NOBODY: ReadonlyMap<Caller, ReadonlySet<string>> = new Map();

export const peopleAmong = (callers: Iterable<Caller>): string[] => [
  ...new Set([...callers].map(({ viewer }) => viewer.id).filter((id): id is string => id !== null)),
];
