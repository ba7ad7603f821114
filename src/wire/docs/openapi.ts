import type { Method } from "#backend/extensions";
import { type PublishedColumn, type PublishedNoun, PUBLISHED } from "#community/published";
import { schemaOf } from "#community/services";
import type { Endpoint } from "./endpoints.ts";
import { SEARCH_CALLS } from "./search-calls.ts";
import { AS, type Shape, SHAPES } from "./shapes.ts";

type Json = Record<string, unknown>;
/** Input of the documentation. */
export type Documented = {
  /** Base URL of an app, with its client key. */
  base: string;
  services: readonly Pick<Method<never>, "service" | "name" | "about" | "input" | "schema">[];
  endpoints: readonly Endpoint[];
};

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json): Json => ({ "application/json": { schema } });
const FAULT = { description: "Refused: why, in a sentence, and a number.", content: json(ref("Fault")) };
const answers = (schema: Json): Json => ({ 200: { description: "Done.", content: json(schema) }, default: FAULT });

/** Shapes by content type; several of one type become alternatives. */
function contentOf(shapes: readonly Shape[]): Json {
  const byType = Map.groupBy(shapes, (name) => AS[name] ?? "application/json");
  const schema = (names: readonly Shape[]) => (names.length === 1 ? ref(names[0]!) : { anyOf: names.map(ref) });
  return Object.fromEntries([...byType].map(([type, names]) => [type, { schema: schema(names) }]));
}
/** An empty list means an empty body. */
const given = (shapes: readonly Shape[]): Json => ({
  200: { description: "Done.", ...(shapes.length > 0 && { content: contentOf(shapes) }) },
  default: FAULT,
});

/** Describes the whole API as OpenAPI 3.1. */
export function openApi({ base, services, endpoints }: Documented): Json {
  const paths: Record<string, Json> = {};
  for (const it of endpoints) {
    // Service methods are documented individually, by POST.
    if (it.method === "POST" && it.path === "/services/{service}/{method}") continue;
    (paths[it.path] ??= {})[it.method.toLowerCase()] = operationOf(it);
  }
  for (const it of services) paths[`/services/${it.service}/${it.name}`] = { post: operationOfService(it) };
  for (const it of SEARCH_CALLS) (paths[it.path] ??= {})[it.method] = operationOfSearch(it, new URL(base).origin);
  return {
    openapi: "3.1.0",
    info: {
      title: "Kith",
      version: "1",
      description:
        "The community and tables of one's own, in the protocol of Backendless clients. Published nouns are tables as any other.",
      license: { name: "AGPL-3.0-or-later", identifier: "AGPL-3.0-or-later" },
    },
    servers: [{ url: base }],
    security: [{}, { session: [] }],
    tags: [...new Set(services.map(({ service }) => service))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "header", name: "user-token", description: "Of a session, as `POST /users/login` answers it." },
        searchApp: { type: "apiKey", in: "header", name: "x-algolia-application-id" },
        searchKey: {
          type: "apiKey",
          in: "header",
          name: "x-algolia-api-key",
          description: "The search key, or one made of the server key.",
        },
      },
      schemas: { Fault: FAULT_SCHEMA, ...SHAPES, ...Object.fromEntries(PUBLISHED.map((noun) => [noun.name, recordOf(noun)])) },
    },
  };
}

const FAULT_SCHEMA: Json = {
  type: "object",
  required: ["code", "message"],
  properties: { code: { type: "integer" }, message: { type: "string" }, errorData: { type: "object" } },
};

const inPath = (name: string) => ({ name, in: "path", required: true });

function operationOf({ method, path, about, params, exchange }: Endpoint): Json {
  const parts = params.map((name) => ({ ...inPath(name), schema: { type: "string", ...(name === "table" && EXAMPLES) } }));
  const asked = (exchange?.asks ?? []).map((name) => ({ name, in: "query", schema: { type: "string" } }));
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_")}`,
    ...(about && { summary: about }),
    tags: [path.split("/")[1]!],
    ...(parts.length + asked.length > 0 && { parameters: [...parts, ...asked] }),
    ...(exchange?.takes && { requestBody: { content: contentOf(exchange.takes) } }),
    responses: exchange ? given(exchange.gives) : answers({}),
  };
}
const EXAMPLES: Json = { examples: PUBLISHED.map((noun) => noun.name) };

const operationOfSearch = ({ method, path, about, exchange: { takes, gives } }: (typeof SEARCH_CALLS)[number], origin: string): Json => ({
  operationId: `${method}${path.replace(/[^A-Za-z0-9]+/g, "_")}`,
  summary: about,
  tags: ["search"],
  servers: [{ url: origin }],
  security: [{ searchApp: [], searchKey: [] }],
  parameters: (path.match(/\{\w+\}/g) ?? []).map((name) => ({ ...inPath(name.slice(1, -1)), schema: { type: "string" } })),
  ...(takes && { requestBody: { content: contentOf(takes) } }),
  responses: { ...given(gives), default: { description: "Refused: why.", content: json(ref("SearchFault")) } },
});

const operationOfService = ({ service, name, about, input, schema }: Documented["services"][number]): Json => ({
  operationId: `${service}.${name}`,
  summary: about,
  tags: [service],
  requestBody: { content: json(schema ?? schemaOf({ input })) },
  responses: answers({}),
});

/** An entity record as read; columns the reader may not see are null. */
function recordOf({ about, columns, relations }: PublishedNoun): Json {
  const many = (name: string): Json => ({ type: "array", items: ref(name) });
  return {
    type: "object",
    description: about,
    properties: {
      ___class: { type: "string" },
      ...Object.fromEntries(columns.map((column) => [column.name, typeOf(column)])),
      ...Object.fromEntries(relations.map(({ name, toTable, kind }) => [name, kind === "ONE_TO_MANY" ? many(toTable) : ref(toTable)])),
    },
  };
}

const TYPES: Record<PublishedColumn["type"], Json> = {
  STRING_ID: { type: ["string", "null"] },
  STRING: { type: ["string", "null"] },
  TEXT: { type: ["string", "null"] },
  INT: { type: ["integer", "null"] },
  DOUBLE: { type: ["number", "null"] },
  BOOLEAN: { type: ["boolean", "null"] },
  DATETIME: { type: ["integer", "null"], description: "Milliseconds since 1970." },
  JSON: {},
};
const typeOf = ({ name, type }: PublishedColumn): Json => (name === "objectId" ? { type: "string" } : TYPES[type]);
