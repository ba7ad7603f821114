import { sql } from "#platform/database";

/**
 * Whether the account in the row `alias` is deactivated, erased or a bot's. Such accounts are in no list of
 * members or attendees, and are not counted there.
 */
export const isAccountUnlisted = (alias: string) =>
  sql<boolean>`${sql.ref(`${alias}.state`)} in ('deactivated', 'erased', 'bot')`;

/**
 * The condition, preceded by `and`, if there is a value; nothing otherwise. PostgreSQL plans each form
 * separately; a condition `$1 is null or …` would spoil the plan.
 */
export const andIfGiven = <T>(value: T | null | undefined, condition: (value: T) => ReturnType<typeof sql>) =>
  value === null || value === undefined ? sql`` : sql`and ${condition(value)}`;
