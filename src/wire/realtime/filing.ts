import { equalities } from "#backend/tables";
import type { Change, Noun } from "#community/published";
import type { Caller, Following } from "./caller.ts";
import type { Clause } from "./where.ts";

/**
 * Columns of an event known without a query, under which subscriptions can be indexed; the narrowest first.
 */
const FILED_BY: Record<Noun, readonly string[]> = {
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
export function keyFor(table: Noun, event: string, where: Clause | null): string {
  const settled = where === null ? new Map<string, string>() : equalities(where);
  const column = FILED_BY[table].find((name) => settled.has(name));
  return column ? `${table}/${event}/${column}/${settled.get(column)}` : `${table}/${event}`;
}

const keysOf = ({ table, event, ids }: Change) => [
  `${table}/${event}`,
  ...FILED_BY[table].filter((column) => ids[column]).map((column) => `${table}/${event}/${column}/${ids[column]}`),
];

export type Filed = { caller: Caller; following: Following };

/** Index of record subscriptions. */
export class Filing {
  #files = new Map<string, Map<string, Filed>>();

  add(caller: Caller, following: Following): void {
    const file = this.#files.get(following.key) ?? new Map<string, Filed>();
    this.#files.set(following.key, file.set(nameOf(caller, following), { caller, following }));
  }

  remove(caller: Caller, following: Following): void {
    const file = this.#files.get(following.key);
    if (file?.delete(nameOf(caller, following)) && file.size === 0) this.#files.delete(following.key);
  }

  /** Subscriptions a change may concern; the rest of their conditions is checked against the record. */
  concernedBy(change: Change): Filed[] {
    return keysOf(change).flatMap((key) => [...(this.#files.get(key)?.values() ?? [])]);
  }
}

const nameOf = (caller: Caller, { id }: Following) => `${caller.socket.id}/${id}`;
