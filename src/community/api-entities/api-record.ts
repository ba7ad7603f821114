import { type Db, maybeOne, type sql } from "#platform/database";
import type { EntityChange, FollowedEntity } from "./entity-changes.ts";
import { createSubscriberLookup, type GroupSubscribers, type SubscriberFacts } from "./subscriber-facts.ts";

/** A record in API form: camelCase, times in milliseconds, `updated` null until the first change. */
export type ApiRecord = {
  ___class: FollowedEntity;
  objectId: string;
  ownerId: string | null;
  created: number | null;
  updated: number | null;
} & Record<string, unknown>;
/**
 * The record as this person may read it (null: as a guest); null if they may not read it. People with equal
 * rights get the same object.
 */
export type RecordForPerson = (personId: string | null) => ApiRecord | null;

/**
 * How records of an entity are read: `select` is the statement, `see` the subscriber's access (null if
 * none), `record` the record for that access.
 */
export type RecordReader<Row, How extends object> = {
  select: (change: EntityChange, people: string[]) => ReturnType<typeof sql<Row & GroupSubscribers>>;
  see: (row: Row & GroupSubscribers, subscriber: SubscriberFacts, change: EntityChange) => How | null;
  record: (row: Row & GroupSubscribers, how: How, change: EntityChange) => ApiRecord;
};

export const defineRecordReader =
  <Row, How extends object>({ select, see, record }: RecordReader<Row, How>) =>
  async (db: Db, change: EntityChange, people: string[]): Promise<RecordForPerson | null> => {
    const row = await maybeOne(db, select(change, people));
    if (!row) return null;
    const each = createSubscriberLookup(row);
    const made = new Map<string, ApiRecord>();
    return (personId) => {
      const who = each(personId);
      const how = who && see(row, who, change);
      if (!how) return null;
      const key = JSON.stringify(how);
      const known = made.get(key) ?? record(row, how, change);
      made.set(key, known);
      return known;
    };
  };

export const toMilliseconds = (at: Date | string | null): number | null =>
  at === null ? null : new Date(at).getTime();
