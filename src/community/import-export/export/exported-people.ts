import { sql } from "#platform/database";

// States of people who are not exported: unfinished registrations, and guest accounts of API clients.

const EXCLUDED_STATES = sql.join(["unverified", "pending_approval", "guest"].map((state) => sql.lit(state)));

export const isExportedPerson = (alias: string) =>
  sql`${sql.ref(`${alias}.state`)} not in (${EXCLUDED_STATES})`;

/** Condition for exporting personal data: people who left are exported without it. */
export const isPersonDataExported = (alias: string) =>
  sql`(${isExportedPerson(alias)} and ${sql.ref(`${alias}.state`)} not in ('erased', 'deactivated'))`;
