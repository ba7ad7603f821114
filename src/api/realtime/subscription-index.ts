import { findEqualities } from "#baas/data";
import type { EntityChange, FollowedEntity } from "#community/api-entities";
import type { Caller, RecordSubscription } from "./realtime-caller.ts";
import type { RecordCondition } from "./record-condition.ts";

/**
 * Columns under which subscriptions can be indexed, because every event contains their value; the most
 * selective first.
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
 * Index key of a subscription: table, event, and the value of one column that its condition requires, so
 * that the subscribers of a change are found without checking all of them.
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

  /**
   * Subscriptions that a change may concern. The rest of each condition must be checked against the record.
   */
  concernedBy(change: EntityChange): IndexedSubscription[] {
    return changeKeys(change).flatMap((key) => [...(this.#files.get(key)?.values() ?? [])]);
  }
}

const subscriptionName = (caller: Caller, { id }: RecordSubscription) => `${caller.socket.id}/${id}`;
