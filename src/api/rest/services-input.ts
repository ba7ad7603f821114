import type { Method } from "#baas/extensions";
import { getInputSchema } from "#community/services";

type Json = Record<string, unknown>;
type MethodSchema = Pick<Method<never>, "input" | "schema">;

const schemas = new WeakMap<MethodSchema, Json>();

/**
 * Converts a query string to the input of a method: texts become numbers, booleans or lists where the
 * method's schema requires them.
 */
export function parseQueryInput(
  method: MethodSchema,
  query: Record<string, string | string[] | undefined>,
): Json {
  const known = schemas.get(method) ?? method.schema ?? getInputSchema(method);
  schemas.set(method, known);
  const properties = isObject(known["properties"]) ? known["properties"] : {};
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      convertValue(Object.hasOwn(properties, name) ? properties[name] : {}, value ?? ""),
    ]),
  );
}

function convertValue(schema: unknown, value: string | string[]): unknown {
  const kinds = listTypes(schema);
  const list = kinds.find(({ type }) => type === "array");
  if (Array.isArray(value)) return value.map((it) => convertValue(list?.items ?? {}, it));
  const takes = (type: string) => kinds.some((kind) => kind.type === type);
  if (takes("string")) return value;
  if (takes("boolean") && (value === "true" || value === "false")) return value === "true";
  if ((takes("number") || takes("integer")) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return list ? [convertValue(list.items ?? {}, value)] : value;
}

type Kind = { type: string; items?: unknown };

function listTypes(schema: unknown): Kind[] {
  if (!isObject(schema)) return [];
  const { type, items, anyOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.flatMap(listTypes);
  return [type].flat().flatMap((it) => (typeof it === "string" ? { type: it, items } : []));
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
