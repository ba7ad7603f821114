import type { Method } from "#backend/extensions";
import { schemaOf } from "#community/services";

type Json = Record<string, unknown>;
type Described = Pick<Method<never>, "input" | "schema">;

const schemas = new WeakMap<Described, Json>();

/**
 * Method input from a query string: texts become numbers, booleans and lists where the method's schema has
 * them.
 */
export function inputFromQuery(method: Described, query: Record<string, string | string[] | undefined>): Json {
  const known = schemas.get(method) ?? method.schema ?? schemaOf(method);
  schemas.set(method, known);
  const properties = isObject(known["properties"]) ? known["properties"] : {};
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, valueAs(Object.hasOwn(properties, name) ? properties[name] : {}, value ?? "")]),
  );
}

function valueAs(schema: unknown, value: string | string[]): unknown {
  const kinds = kindsOf(schema);
  const list = kinds.find(({ type }) => type === "array");
  if (Array.isArray(value)) return value.map((it) => valueAs(list?.items ?? {}, it));
  const takes = (type: string) => kinds.some((kind) => kind.type === type);
  if (takes("string")) return value;
  if (takes("boolean") && (value === "true" || value === "false")) return value === "true";
  if ((takes("number") || takes("integer")) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return list ? [valueAs(list.items ?? {}, value)] : value;
}

type Kind = { type: string; items?: unknown };

function kindsOf(schema: unknown): Kind[] {
  if (!isObject(schema)) return [];
  const { type, items, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.flatMap(kindsOf);
  return [type].flat().flatMap((it) => (typeof it === "string" ? { type: it, items } : []));
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
