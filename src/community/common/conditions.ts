import { sql } from "#platform/database";

/** The account in the row `alias` is closed, until its owner comes back or for good: nobody is met there. */
export const isClosed = (alias: string) => sql<boolean>`${sql.ref(`${alias}.state`)} in ('deactivated', 'erased')`;

/**
 * `and …` where there is something to compare with, else nothing: a statement without the condition has a plan of its
 * own, where `$1 is null or …` would spoil the one for both.
 */
export const given = <T>(value: T | null | undefined, condition: (value: T) => ReturnType<typeof sql>) =>
  value === null || value === undefined ? sql`` : sql`and ${condition(value)}`;
