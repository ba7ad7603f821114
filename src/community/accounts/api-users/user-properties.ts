import { type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { type Message, msg } from "#platform/messages";
import { emit } from "#platform/outbox";
import { Refusal } from "#platform/refusal";

export const PROPERTY_TYPES = ["STRING", "TEXT", "INT", "DOUBLE", "BOOLEAN", "DATETIME", "JSON"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];
/** A custom property that API clients define for people. */
export type UserProperty = { name: string; type: PropertyType; required: boolean };

/** Maximum number of custom properties. */
const MAX_PROPERTIES = 100;
/** Maximum characters of all property values of a person. */
const MAX_PROPERTIES_LENGTH = 20_000;
/** Maximum characters of a value of the type STRING; a longer text has the type TEXT. */
const MAX_STRING_LENGTH = 500;
const PROPERTY_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Built-in API property names, which custom properties may not use. */
const RESERVED_PROPERTIES = new Set(
  (
    "objectId ownerId created updated email name username password userStatus lastLogin socialAccount " +
    "blUserLocale oAuthIdentities roles " +
    "user-token ___class ___jsonclass __meta __subID __originSubID login"
  ).split(" "),
);

/** All custom properties by name. */
export const listUserProperties = (db: Db): Promise<UserProperty[]> =>
  many(db, sql<UserProperty>`select name, type, required from person_properties order by name`);

/**
 * Normalizes custom properties. Unknown properties are created with `canAddColumns`, otherwise ignored.
 * @throws `invalid` for a value of the wrong type, an invalid name, or too much data
 */
export async function normalizeProperties(
  tx: Tx,
  properties: Record<string, unknown>,
  canAddColumns: boolean,
): Promise<Record<string, unknown>> {
  const wanted = Object.entries(properties).filter(
    ([name, value]) => !RESERVED_PROPERTIES.has(name) && value !== undefined,
  );
  if (wanted.length === 0) return {};
  const known = new Map((await listUserProperties(tx)).map((it) => [it.name, it]));
  const settled: Record<string, unknown> = {};
  for (const [name, value] of wanted) {
    const property =
      known.get(name) ?? (canAddColumns ? await createProperty(tx, name, value, known.size) : null);
    if (!property) continue;
    known.set(name, property);
    settled[name] = normalizeValue(property, value);
  }
  assertPropertiesFit(settled);
  return settled;
}

/** Adds properties to those that a person already has. Normalizes and refuses like `normalizeProperties`. */
export async function mergeProperties(
  tx: Tx,
  personId: string,
  given: Record<string, unknown>,
  canAddColumns: boolean,
): Promise<void> {
  const properties = await normalizeProperties(tx, given, canAddColumns);
  if (Object.keys(properties).length === 0) return;
  const kept = await maybeOne(
    tx,
    sql<{ properties: Record<string, unknown> }>`
    update people set properties = properties || ${JSON.stringify(properties)}::jsonb, updated_at = ${tx.now}
    where id = ${personId} and state <> 'erased' returning properties`,
  );
  if (kept) assertPropertiesFit(kept.properties);
  await emit(tx, { type: "person.changed", personId });
}

/**
 * Asserts the size limit of a person's properties.
 * @throws `invalid` when existing and new ones together exceed it
 */
export function assertPropertiesFit(properties: Record<string, unknown>): void {
  if (JSON.stringify(properties).length > MAX_PROPERTIES_LENGTH)
    throw invalidProperty(
      msg("A user's properties can have at most {count} characters.", { count: MAX_PROPERTIES_LENGTH }),
    );
}

const invalidProperty = (message: Message) => new Refusal("invalid", message, { kind: "user-invalid" });

/**
 * Adds a custom property of people.
 * @throws `conflict` for a taken name, `invalid` for an unknown type
 */
export async function addUserProperty(tx: Tx, { name, type }: { name: string; type: string }): Promise<void> {
  const known = PROPERTY_TYPES.find((it) => it === type);
  if (!known)
    throw invalidProperty(
      msg("Columns of users can have the types {types}.", { types: PROPERTY_TYPES.join(", ") }),
    );
  if (!PROPERTY_NAME.test(name))
    throw invalidProperty(msg("''{name}'' is not a valid property name.", { name: name.slice(0, 60) }));
  const standing = await listUserProperties(tx);
  if (RESERVED_PROPERTIES.has(name) || standing.some((it) => it.name === name))
    throw new Refusal("conflict", msg("Users already have a column ''{name}''.", { name }), {
      kind: "user-invalid",
    });
  if (standing.length >= MAX_PROPERTIES)
    throw invalidProperty(msg("Users can have at most {count} properties.", { count: MAX_PROPERTIES }));
  await run(
    tx,
    sql`insert into person_properties (name, type, created_at) values (${name}, ${known}, ${tx.now})`,
  );
  await emit(tx, { type: "properties.changed" });
}

/**
 * Removes a property with all its values.
 * @throws `not-found` for an unknown property
 */
export async function dropUserProperty(tx: Tx, name: string): Promise<void> {
  const gone = await run(tx, sql`delete from person_properties where name = ${name}`);
  if (gone === 0)
    throw new Refusal(
      "not-found",
      msg("Users have no column ''{name}'' that can be removed.", { name: name.slice(0, 60) }),
    );
  await run(tx, sql`update people set properties = properties - ${name}::text where properties ? ${name}`);
  await emit(tx, { type: "properties.changed" });
}

/** Creates a property with the type of its first value. Null has no type and creates nothing. */
async function createProperty(
  tx: Tx,
  name: string,
  value: unknown,
  count: number,
): Promise<UserProperty | null> {
  if (!PROPERTY_NAME.test(name))
    throw invalidProperty(msg("A property cannot be called ''{name}''.", { name: name.slice(0, 80) }));
  const type = inferPropertyType(value);
  if (!type) return null;
  if (count >= MAX_PROPERTIES)
    throw invalidProperty(msg("Users can have at most {count} properties.", { count: MAX_PROPERTIES }));
  await run(
    tx,
    sql`insert into person_properties (name, type, created_at) values (${name}, ${type}, ${tx.now})
      on conflict (name) do nothing`,
  );
  await emit(tx, { type: "properties.changed" });
  return { name, type, required: false };
}

function inferPropertyType(value: unknown): PropertyType | null {
  if (value === null) return null;
  if (typeof value === "boolean") return "BOOLEAN";
  if (typeof value === "number") return (value | 0) === value ? "INT" : "DOUBLE";
  if (typeof value === "string")
    return ISO_DATE.test(value) ? "DATETIME" : value.length <= MAX_STRING_LENGTH ? "STRING" : "TEXT";
  return "JSON";
}

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);

const TYPE_CHECKS: Record<PropertyType, (value: unknown) => boolean> = {
  STRING: (value) => typeof value === "string" && value.length <= MAX_STRING_LENGTH,
  TEXT: (value) => typeof value === "string",
  INT: (value) => Number.isInteger(value),
  DOUBLE: isNumber,
  BOOLEAN: (value) => typeof value === "boolean",
  DATETIME: isNumber,
  JSON: () => true,
};

function normalizeValue({ name, type }: UserProperty, value: unknown): unknown {
  // Dates are stored in the API's format.
  const normalized =
    type === "DATETIME" && typeof value === "string" && ISO_DATE.test(value) ? Date.parse(value) : value;
  if (normalized === null || TYPE_CHECKS[type](normalized)) return normalized;
  throw invalidProperty(
    `Unable to save object - invalid data type for properties - ${name}. You can change the property ` +
      `type in developer console.`,
  );
}
