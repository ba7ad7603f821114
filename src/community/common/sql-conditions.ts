import { sql } from "#platform/database";

/** Whether the account in the row `alias` is closed, for now or for good: it is shown nowhere. */
export const isClosed = (alias: string) =>
  sql<boolean>`${sql.ref(`${alias}.state`)} in ('deactivated', 'erased')`;

/**
 * `and …` if there is a value, else nothing: a statement without the condition gets a plan of its own, which
 * `$1 is null or …` would spoil.
 */
export const whenGiven = <T>(value: T | null | undefined, condition: (value: T) => ReturnType<typeof sql>) =>
  value === null || value === undefined ? sql`` : sql`and ${condition(value)}`;
