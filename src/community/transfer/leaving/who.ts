import { sql } from "#platform/database";

// States of people who are not exported: unfinished registrations, and guest accounts of API clients.

const NOT_HERE = sql.join(["unverified", "pending_approval", "guest"].map((state) => sql.lit(state)));

export const here = (alias: string) => sql`${sql.ref(`${alias}.state`)} not in (${NOT_HERE})`;

/** For personal data: people who left are exported without it. */
export const presentAs = (alias: string) => sql`(${here(alias)} and ${sql.ref(`${alias}.state`)} not in ('erased', 'deactivated'))`;
