import { type ChangeCondition, matchesCondition, type RangeFilter, type ValueFilter } from "#baas/data";
import type { Caller } from "../realtime-caller.ts";
import type { RecordChangesOptions, RelationChangesOptions } from "../packet-schemas.ts";
import { RangeIndex } from "./range-index.ts";

/** A subscription to a data table. */
export type TableSubscription = {
  kind: "table";
  id: string;
  table: string;
  /** Name of the event, such as `created`, `bulk-created` or `relation-set`. */
  event: string;
  /** The options the client sent, to create the subscription again after a schema change. */
  options: RecordChangesOptions | RelationChangesOptions;
  /** Fingerprint of the table when the subscription was created. */
  fingerprint: string;
  /**
   * Key shared by all subscribers with the same condition, so that the condition is evaluated once per
   * change.
   */
  question: string;
  condition: ChangeCondition | null;
  /**
   * Condition that is checked on the record as this subscriber sees it, for entities that look different to
   * each viewer.
   */
  viewerCondition: ChangeCondition | null;
  /**
   * Column values or bounds under which the subscription is indexed; null if it must be checked for every
   * change.
   */
  narrowed: ValueFilter | RangeFilter | null;
  /** Characters of the condition, which count towards the socket's limit. */
  size: number;
  scopes: readonly never[];
};
export type TableSubscriber = { caller: Caller; following: TableSubscription };
/** Subscribers with the same condition. */
type SubscriberGroup = {
  condition: ChangeCondition | null;
  narrowed: ValueFilter | RangeFilter | null;
  members: Map<string, TableSubscriber>;
};

/**
 * Index of table subscriptions by table, event and the required value of one column, so that the subscribers
 * of a change are found without checking all of them.
 */
export class TableSubscriptionIndex {
  readonly #tables = new Map<string, Map<string, EventIndex>>();

  add(caller: Caller, following: TableSubscription): void {
    const indexes = this.#tables.get(following.table) ?? new Map<string, EventIndex>();
    this.#tables.set(following.table, indexes);
    const index = indexes.get(following.event) ?? new EventIndex();
    indexes.set(following.event, index);
    index.add(subscriptionName(caller, following), { caller, following });
  }

  remove(caller: Caller, following: TableSubscription): void {
    const indexes = this.#tables.get(following.table);
    const index = indexes?.get(following.event);
    if (!indexes || !index) return;
    index.remove(subscriptionName(caller, following), following);
    if (index.isEmpty) indexes.delete(following.event);
    if (indexes.size === 0) this.#tables.delete(following.table);
  }

  /** Whether a table and event have subscribers. */
  has = (table: string, event: string): boolean => this.#tables.get(table)?.has(event) ?? false;

  /** Names of tables with subscribers. */
  tables = (): string[] => [...this.#tables.keys()];

  /** Subscribers whose condition this record may meet. */
  matching = (table: string, event: string, record: Readonly<Record<string, unknown>>): TableSubscriber[] =>
    this.#tables.get(table)?.get(event)?.matching(record) ?? [];

  /** All subscribers of a table. */
  followersOf = (table: string): TableSubscriber[] =>
    [...(this.#tables.get(table)?.values() ?? [])].flatMap((index) => index.all());
}

const subscriptionName = (caller: Caller, { id }: TableSubscription) => `${caller.socket.id}/${id}`;

/** Subscribers of one event of one table. */
class EventIndex {
  readonly #groups = new Map<string, SubscriberGroup>();
  /** Groups that must be checked for every change. */
  readonly #wide = new Set<SubscriberGroup>();
  /** Groups by column and required value. */
  readonly #settled = new Map<string, Map<string, Set<SubscriberGroup>>>();
  /** Groups by column and required bounds. */
  readonly #ranged = new Map<string, RangeIndex<SubscriberGroup>>();

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  add(name: string, followed: TableSubscriber): void {
    const { question, condition, narrowed } = followed.following;
    const known = this.#groups.get(question);
    if (known) return void known.members.set(name, followed);
    const group: SubscriberGroup = { condition, narrowed, members: new Map([[name, followed]]) };
    this.#groups.set(question, group);
    if (narrowed === null) return void this.#wide.add(group);
    if ("values" in narrowed) return this.#settle(group, narrowed);
    const ranges = this.#ranged.get(narrowed.column) ?? new RangeIndex<SubscriberGroup>();
    this.#ranged.set(narrowed.column, ranges);
    ranges.add(group, narrowed);
  }

  remove(name: string, { question }: TableSubscription): void {
    const group = this.#groups.get(question);
    if (!group?.members.delete(name) || group.members.size > 0) return;
    this.#groups.delete(question);
    const { narrowed } = group;
    if (narrowed === null) return void this.#wide.delete(group);
    if ("values" in narrowed) return this.#clear(group, narrowed);
    const ranges = this.#ranged.get(narrowed.column)!;
    ranges.remove(group, narrowed);
    if (ranges.isEmpty) this.#ranged.delete(narrowed.column);
  }

  #settle(group: SubscriberGroup, { column, values }: ValueFilter): void {
    const drawers = this.#settled.get(column) ?? new Map<string, Set<SubscriberGroup>>();
    this.#settled.set(column, drawers);
    for (const value of values) drawers.set(value, (drawers.get(value) ?? new Set()).add(group));
  }

  #clear(group: SubscriberGroup, { column, values }: ValueFilter): void {
    const drawers = this.#settled.get(column)!;
    for (const value of values) {
      const drawer = drawers.get(value);
      if (drawer?.delete(group) && drawer.size === 0) drawers.delete(value);
    }
    if (drawers.size === 0) this.#settled.delete(column);
  }

  matching(record: Readonly<Record<string, unknown>>): TableSubscriber[] {
    const found: TableSubscriber[] = [];
    const look = (groups: Iterable<SubscriberGroup>) => {
      for (const { condition, members } of groups)
        if (matchesCondition(condition, record)) found.push(...members.values());
    };
    look(this.#wide);
    for (const [column, drawers] of this.#settled) {
      const value = record[column];
      if (value !== null && value !== undefined) look(drawers.get(String(value)) ?? []);
    }
    for (const [column, ranges] of this.#ranged) look(ranges.around(toComparable(record[column])));
    return found;
  }

  all = (): TableSubscriber[] => [...this.#groups.values()].flatMap(({ members }) => [...members.values()]);
}

/**
 * Converts a number or time for comparison with bounds. Other values become NaN, which is within no bounds.
 */
const toComparable = (value: unknown): number =>
  typeof value === "number" ? value : value instanceof Date ? value.getTime() : Number.NaN;
