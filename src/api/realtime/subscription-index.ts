import { findEqualities } from "#baas/data";
import type { EntityChange, FollowedEntity } from "#community/api-entities";
import type { Caller, RecordSubscription } from "./realtime-caller.ts";
import type { RecordCondition } from "./record-condition.ts";

/**
 * Columns of an event known without a query, under which subscriptions can be indexed; the narrowest first.
 */
const INDEXED_COLUMNS: Record<FollowedEntity, readonly string[]> = {
  Posts: ["objectId", "discussionId", "groupId"],
  Discussions: ["objectId", "groupId"],
  Reactions: ["postId", "discussionId", "groupId"],
  Memberships: ["objectId", "personId", "groupId"],
  Groups: ["objectId"],
  Comments: ["objectId", "resourceId", "groupId"],
  Messages: ["objectId", "conversationId"],
};

/**
 * Index key of a subscription: table, event and one column its condition fixes, so that a change finds its
 * audience quickly.
 */
export function subscriptionKey(table: FollowedEntity, event: string, where: RecordCondition | null): string {
  const settled = where === null ? new Map<string, string>() : findEqualities(where);
  const column = INDEXED_COLUMNS[table].find((name) => settled.has(name));
  return column ? `${table}/${event}/${column}/${settled.get(column)}` : `${table}/${event}`;
}

const changeKeys = ({ table, event, ids }: EntityChange) => [
  `${table}/${event}`,
  ...INDEXED_COLUMNS[table]
    .filter((column) => ids[column])
    .map((column) => `${table}/${event}/${column}/${ids[column]}`),
];

export type IndexedSubscription = { caller: Caller; following: RecordSubscription };

/** Index of record subscriptions. */
export class SubscriptionIndex {
  #files = new Map<string, Map<string, IndexedSubscription>>();

  add(caller: Caller, following: RecordSubscription): void {
    const file = this.#files.get(following.key) ?? new Map<string, IndexedSubscription>();
    this.#files.set(following.key, file.set(subscriptionName(caller, following), { caller, following }));
  }

  remove(caller: Caller, following: RecordSubscription): void {
    const file = this.#files.get(following.key);
    if (file?.delete(subscriptionName(caller, following)) && file.size === 0)
      this.#files.delete(following.key);
  }

  /** Subscriptions a change may concern; the rest of their conditions is checked against the record. */
  concernedBy(change: EntityChange): IndexedSubscription[] {
    return changeKeys(change).flatMap((key) => [...(this.#files.get(key)?.values() ?? [])]);
  }
}

const subscriptionName = (caller: Caller, { id }: RecordSubscription) => `${caller.socket.id}/${id}`;
