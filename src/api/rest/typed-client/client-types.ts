import type { Method } from "#baas/extensions";
import { getInputSchema } from "#community/services";
import { propertyName, schemaToTypeScript } from "./json-schema-types.ts";

/** A data table as the management API describes it, or an API entity. */
export type DescribedTable = {
  name: string;
  about?: string;
  columns: { name: string; dataType: string; required?: boolean; system?: boolean }[];
  relations: { name: string; toTable: string; relationshipType: string }[];
};
type DescribedService = Pick<Method<never>, "service" | "name" | "about" | "input" | "schema">;

const COLUMN_TYPES: Record<string, string> = {
  INT: "number",
  DOUBLE: "number",
  BOOLEAN: "boolean",
  /** Milliseconds since 1970. */
  DATETIME: "number",
  JSON: "unknown",
  POINT: "Geometry",
  LINESTRING: "Geometry",
  POLYGON: "Geometry",
  GEOMETRY: "Geometry",
};

const HEAD = `// Types of the tables and services of a Kith site, for the client "backendless". Generated: do not edit.
//
//   import Backendless from "backendless";
//   import type { Kith } from "./kith.ts";
//   const kith = Backendless as unknown as Kith;
//   const posts = await kith.Data.of("Posts").find();
`;

/** Types that are the same for every site. A query is not typed more precisely than in the client itself. */
const CLIENT = `/** A geometry as the client reads and writes it. */
export type Geometry = { type: string; coordinates: unknown; srsId?: number };

type Query = object;
/** A record to save: with an \`objectId\` its given columns are changed. */
export type Unsaved<T> = { [Column in keyof T]?: T[Column] | null | undefined };

/** A table of the client with the types of its records. */
export interface Store<T> {
  find(query?: Query): Promise<T[]>;
  findById(objectId: string, query?: Query): Promise<T>;
  findFirst(query?: Query): Promise<T>;
  findLast(query?: Query): Promise<T>;
  save(record: Unsaved<T>): Promise<T>;
  remove(record: string | { objectId: string }): Promise<object>;
  getObjectCount(query?: string): Promise<number>;
}

/** The client with the types of this site. */
export interface Kith {
  Data: { of<Name extends keyof Tables>(table: Name): Store<Tables[Name]> };
  CustomServices: {
    invoke<Service extends keyof Services, Method extends keyof Services[Service] & string>(
      service: Service,
      method: Method,
      input: Services[Service][Method],
    ): Promise<unknown>;
  };
}
`;

/** Writes the types of tables and services as a TypeScript module. */
export function writeClientTypes(
  tables: readonly DescribedTable[],
  services: readonly DescribedService[],
): string {
  const named = new Map(tables.map(({ name }) => [name, typeName(name)]));
  return [
    HEAD,
    ...tables.map((table) => writeTable(table, named)),
    block(
      "export interface Tables",
      [...named].map(([name, type]) => `${propertyName(name)}: ${type};`),
    ),
    writeServices(services),
    CLIENT,
  ].join("\n");
}

/**
 * Type names that the generated module itself uses. The type of a table with such a name gets the suffix
 * `Table`.
 */
const TAKEN = new Set([
  "Tables",
  "Services",
  "Kith",
  "Store",
  "Unsaved",
  "Geometry",
  "Query",
  "Record",
  "Promise",
]);
const typeName = (table: string) => (TAKEN.has(table) ? `${table}Table` : table);

function writeTable({ name, about, columns, relations }: DescribedTable, named: Map<string, string>): string {
  const lines = columns.map((column) => `${propertyName(column.name)}: ${columnType(column)};`);
  const related = relations.map(({ name: relation, toTable, relationshipType }) => {
    const type = named.get(toTable) ?? "object";
    return `${propertyName(relation)}?: ${relationshipType === "ONE_TO_MANY" ? `${type}[]` : `${type} | null`};`;
  });
  return (
    comment(about) +
    block(`export interface ${named.get(name)!}`, ["___class: string;", ...lines, ...related])
  );
}

function columnType({ name, dataType, required = false }: DescribedTable["columns"][number]): string {
  if (name === "objectId" || name === "created") return COLUMN_TYPES[dataType] ?? "string";
  const type = COLUMN_TYPES[dataType] ?? "string";
  return required || type === "unknown" ? type : `${type} | null`;
}

function writeServices(services: readonly DescribedService[]): string {
  const byService = Map.groupBy(services, ({ service }) => service);
  const lines = [...byService].map(
    ([service, methods]) =>
      `${propertyName(service)}: {\n${methods
        .map(
          ({ name, about, input, schema }) =>
            `    /** ${escapeComment(about)} */\n` +
            `    ${propertyName(name)}: ${schemaToTypeScript(schema ?? getInputSchema({ input }), 1)};`,
        )
        .join("\n")}\n  };`,
  );
  return (
    comment("Inputs of the services, by service and method.") + block("export interface Services", lines)
  );
}

const block = (head: string, lines: string[]) =>
  `${head} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;
const escapeComment = (text: string) => text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
const comment = (text: string | undefined) => (text ? `/** ${escapeComment(text)} */\n` : "");
