import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { announce } from "#platform/outbox";
import { Refusal } from "#platform/refusal";

export const PROPERTY_TYPES = ["STRING", "TEXT", "INT", "DOUBLE", "BOOLEAN", "DATETIME", "JSON"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];
/** A custom property of people that API clients define. */
export type Property = { name: string; type: PropertyType; required: boolean };

/** Maximum number of properties, and of characters per person. */
const MOST = 100;
const LONGEST = 20_000;
const LONGEST_STRING = 500;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Built-in API property names, which custom properties may not use. */
const TAKEN = new Set(
  (
    "objectId ownerId created updated email name username password userStatus lastLogin socialAccount blUserLocale oAuthIdentities roles " +
    "user-token ___class ___jsonclass __meta __subID __originSubID login"
  ).split(" "),
);

/** All custom properties by name. */
export const propertiesOfPeople = (db: Db): Promise<Property[]> =>
  many(db, sql<Property>`select name, type, required from person_properties order by name`);

/**
 * Normalizes custom properties. Unknown ones are created with `growing`, otherwise ignored.
 * @throws `invalid` for a value of the wrong type, an invalid name, or too much data
 */
export async function settleProperties(tx: Tx, given: Record<string, unknown>, growing: boolean): Promise<Record<string, unknown>> {
  const wanted = Object.entries(given).filter(([name, value]) => !TAKEN.has(name) && value !== undefined);
  if (wanted.length === 0) return {};
  const known = new Map((await propertiesOfPeople(tx)).map((it) => [it.name, it]));
  const settled: Record<string, unknown> = {};
  for (const [name, value] of wanted) {
    const property = known.get(name) ?? (growing ? await grow(tx, name, value, known.size) : null);
    if (!property) continue;
    known.set(name, property);
    settled[name] = valueOf(property, value);
  }
  assertRoom(settled);
  return settled;
}

/** Adds properties to a person's existing ones; normalized and refused as above. */
export async function addProperties(tx: Tx, personId: string, given: Record<string, unknown>, growing: boolean): Promise<void> {
  const properties = await settleProperties(tx, given, growing);
  if (Object.keys(properties).length === 0) return;
  const kept = await maybeOne(
    tx,
    sql<{ properties: Record<string, unknown> }>`
    update people set properties = properties || ${JSON.stringify(properties)}::jsonb, updated_at = ${tx.now}
    where id = ${personId} and state <> 'erased' returning properties`,
  );
  if (kept) assertRoom(kept.properties);
  await announce(tx, { type: "person.changed", personId });
}

/** @throws `invalid` when a person's properties exceed the limit, at once or over time */
export function assertRoom(properties: Record<string, unknown>): void {
  if (JSON.stringify(properties).length > LONGEST) throw refused(`The properties of a person have ${LONGEST} characters at the most.`);
}

const refused = (sentence: string) => new Refusal("invalid", sentence, { kind: "user-invalid" });

/**
 * Adds a custom property of people.
 * @throws `conflict` for a taken name, `invalid` for an unknown type
 */
export async function addProperty(tx: Tx, { name, type }: { name: string; type: string }): Promise<void> {
  const known = PROPERTY_TYPES.find((it) => it === type);
  if (!known) throw refused(`Columns of users are of the types ${PROPERTY_TYPES.join(", ")}.`);
  if (!NAME.test(name)) throw refused(`'${name.slice(0, 60)}' cannot be the name of a property.`);
  const standing = await propertiesOfPeople(tx);
  if (TAKEN.has(name) || standing.some((it) => it.name === name))
    throw new Refusal("conflict", `Users have a column '${name}' already.`, { kind: "user-invalid" });
  if (standing.length >= MOST) throw refused(`People have ${MOST} properties at the most.`);
  await run(tx, sql`insert into person_properties (name, type, created_at) values (${name}, ${known}, ${tx.now})`);
  await announce(tx, { type: "properties.changed" });
}

/**
 * Removes a property with all its values.
 * @throws `not-found` for an unknown one
 */
export async function dropProperty(tx: Tx, name: string): Promise<void> {
  const gone = await run(tx, sql`delete from person_properties where name = ${name}`);
  if (gone === 0) throw new Refusal("not-found", `Users have no column '${name.slice(0, 60)}' that could be removed.`);
  await run(tx, sql`update people set properties = properties - ${name}::text where properties ? ${name}`);
  await announce(tx, { type: "properties.changed" });
}

/** A property takes the type of its first value; null has none. */
async function grow(tx: Tx, name: string, value: unknown, count: number): Promise<Property | null> {
  if (!NAME.test(name)) throw refused(`A property cannot be called '${name.slice(0, 80)}'.`);
  const type = typeFor(value);
  if (!type) return null;
  if (count >= MOST) throw refused(`People have ${MOST} properties at the most.`);
  await run(
    tx,
    sql`insert into person_properties (name, type, created_at) values (${name}, ${type}, ${tx.now}) on conflict (name) do nothing`,
  );
  await announce(tx, { type: "properties.changed" });
  return { name, type, required: false };
}

function typeFor(value: unknown): PropertyType | null {
  if (value === null) return null;
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "number") return (value | 0) === value ? "INT" : "DOUBLE";
  if (typeof value === "string") return ISO.test(value) ? "DATETIME" : value.length <= LONGEST_STRING ? "STRING" : "TEXT";
  return "JSON";
}

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);

const FITS: Record<PropertyType, (value: unknown) => boolean> = {
  STRING: (value) => typeof value === "string" && value.length <= LONGEST_STRING,
  TEXT: (value) => typeof value === "string",
  INT: (value) => Number.isInteger(value),
  DOUBLE: isNumber,
  BOOLEAN: (value) => typeof value === "boolean",
  DATETIME: isNumber,
  JSON: () => true,
};

function valueOf({ name, type }: Property, value: unknown): unknown {
  // Dates are stored in the API's format.
  const meant = type === "DATETIME" && typeof value === "string" && ISO.test(value) ? Date.parse(value) : value;
  if (meant === null || FITS[type](meant)) return meant;
  throw refused(
    `Unable to save object - invalid data type for properties - ${name}. You can change the property type in developer console.`,
  );
}
