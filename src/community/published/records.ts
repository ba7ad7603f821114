import { type Db, maybeOne, type sql } from "#platform/database";
import type { Change, Noun } from "./changes.ts";
import { eachIn, type InGroup, type Seen } from "./onlookers.ts";

/** A record in API form: camelCase, times in milliseconds, `updated` null until the first change. */
export type WireRecord = {
  ___class: Noun;
  objectId: string;
  ownerId: string | null;
  created: number | null;
  updated: number | null;
} & Record<string, unknown>;
/**
 * The record as one person (null: a guest) may read it; null if they may not. People with equal rights get
 * the same object.
 */
export type Sight = (personId: string | null) => WireRecord | null;

/**
 * How records of an entity are read: the statement, the viewer's access (null: none), and the record for that
 * access.
 */
export type Reading<Row, How extends object> = {
  select: (change: Change, people: string[]) => ReturnType<typeof sql<Row & InGroup>>;
  see: (row: Row & InGroup, who: Seen, change: Change) => How | null;
  record: (row: Row & InGroup, how: How, change: Change) => WireRecord;
};

export const reading =
  <Row, How extends object>({ select, see, record }: Reading<Row, How>) =>
  async (db: Db, change: Change, people: string[]): Promise<Sight | null> => {
    const row = await maybeOne(db, select(change, people));
    if (!row) return null;
    const each = eachIn(row);
    const made = new Map<string, WireRecord>();
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

export const ms = (at: Date | string | null): number | null => (at === null ? null : new Date(at).getTime());
