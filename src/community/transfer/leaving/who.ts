import { sql } from "#platform/database";

// Who is told of in an archive: everybody but those who never quite arrived, and the guests of programs, whom nobody sees.

const NOT_HERE = sql.join(["unverified", "pending_approval", "guest"].map((state) => sql.lit(state)));

export const here = (alias: string) => sql`${sql.ref(`${alias}.state`)} not in (${NOT_HERE})`;

/** For what belongs to a person: those who have left take with them what was said of them. */
export const presentAs = (alias: string) => sql`(${here(alias)} and ${sql.ref(`${alias}.state`)} not in ('erased', 'deactivated'))`;
