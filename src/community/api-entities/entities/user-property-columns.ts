import { type Db, sql } from "#platform/database";
import { listUserProperties, type UserProperty } from "#community/accounts";
import { columnRef, type SqlFragment, type EntityColumn } from "./entity.ts";

/** The earliest and latest representable date. */
const [EARLIEST, LATEST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * SQL for a property value of each type; null for a value of another type. The SQL must never raise an
 * error: the error would reveal a value that the viewer cannot read.
 */
const VALUE_BY_TYPE: Record<UserProperty["type"], (it: SqlFragment) => SqlFragment> = {
  STRING: (it) => sql`case when jsonb_typeof(${it}) = 'string' then ${it} #>> '{}' end`,
  TEXT: (it) => sql`case when jsonb_typeof(${it}) = 'string' then ${it} #>> '{}' end`,
  INT: (it) => sql`case when jsonb_typeof(${it}) = 'number' then (${it})::double precision end`,
  DOUBLE: (it) => sql`case when jsonb_typeof(${it}) = 'number' then (${it})::double precision end`,
  BOOLEAN: (it) => sql`case when jsonb_typeof(${it}) = 'boolean' then (${it})::boolean end`,
  DATETIME: (it) => sql`case when jsonb_typeof(${it}) = 'number' then
    case
      when (${it})::double precision between ${EARLIEST}
        and ${LATEST} then to_timestamp((${it})::double precision / 1000) end end`,
  JSON: (it) => sql`nullif(${it}, 'null')`,
};

/**
 * User properties of API clients, as columns: readable by the person and admins, or, with `shared` (the
 * defaults of the hosted service), by everyone who can see the person.
 */
export async function createPropertyColumns(
  db: Db,
  readBy: "owner" | "shared" = "owner",
): Promise<EntityColumn[]> {
  return (await listUserProperties(db)).map(({ name, type }) => ({
    name,
    sqlName: "properties",
    type,
    ofRow: true,
    seen(viewer, alias) {
      const value = VALUE_BY_TYPE[type](sql`(${columnRef(alias, "properties")} -> ${name}::text)`);
      return viewer.role === "admin" || readBy === "shared"
        ? sql`(${value})`
        : sql`(case when ${columnRef(alias, "object_id")} = ${viewer.id}::uuid then ${value} end)`;
    },
  }));
}
