import { type Db, sql } from "#platform/database";
import { propertiesOfPeople, type Property } from "#community/people";
import { at, type Piece, type PublishedColumn } from "./noun.ts";

/** The earliest and latest representable date. */
const [EARLIEST, LATEST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * A property as a value of its type; null for another type. No value may cause an error, which people who
 * cannot see it would notice.
 */
const VALUES: Record<Property["type"], (it: Piece) => Piece> = {
  STRING: (it) => sql`case when jsonb_typeof(${it}) = 'string' then ${it} #>> '{}' end`,
  TEXT: (it) => sql`case when jsonb_typeof(${it}) = 'string' then ${it} #>> '{}' end`,
  INT: (it) => sql`case when jsonb_typeof(${it}) = 'number' then (${it})::double precision end`,
  DOUBLE: (it) => sql`case when jsonb_typeof(${it}) = 'number' then (${it})::double precision end`,
  BOOLEAN: (it) => sql`case when jsonb_typeof(${it}) = 'boolean' then (${it})::boolean end`,
  DATETIME: (it) => sql`case when jsonb_typeof(${it}) = 'number' then
    case when (${it})::double precision between ${EARLIEST} and ${LATEST} then to_timestamp((${it})::double precision / 1000) end end`,
  JSON: (it) => sql`nullif(${it}, 'null')`,
};

/**
 * What programs keep of people, as columns: to themselves and to admins, as everywhere; or, with the defaults of the hosted service, to
 * whoever finds the person.
 */
export async function propertyColumns(db: Db, readBy: "owner" | "shared" = "owner"): Promise<PublishedColumn[]> {
  return (await propertiesOfPeople(db)).map(({ name, type }) => ({
    name,
    sqlName: "properties",
    type,
    ofRow: true,
    seen(viewer, alias) {
      const value = VALUES[type](sql`(${at(alias, "properties")} -> ${name}::text)`);
      return viewer.role === "admin" || readBy === "shared"
        ? sql`(${value})`
        : sql`(case when ${at(alias, "object_id")} = ${viewer.id}::uuid then ${value} end)`;
    },
  }));
}
