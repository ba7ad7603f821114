import type { Method } from "#baas/extensions";
import { type EntityColumn, type ApiEntity, API_ENTITIES } from "#community/api-entities";
import { inputSchemaOf } from "#community/services";
import { Components, describeEndpoint as describeDeclared } from "./describe-endpoint.ts";
import type { Endpoint } from "./endpoints.ts";
import { SEARCH_ENDPOINTS } from "./search-endpoints.ts";
import { type Shape, SHAPES } from "./json-shapes.ts";

type Json = Record<string, unknown>;
/** Input of the documentation. */
export type ApiDescription = {
  /** Base URL of an app, with its client key. */
  base: string;
  services: readonly Pick<Method<never>, "service" | "name" | "about" | "input" | "schema">[];
  endpoints: readonly Endpoint[];
};

const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: Json): Json => ({ "application/json": { schema } });
const ERROR_ANSWER = {
  description: "Error: a message and a code.",
  content: jsonContent(schemaRef("Fault")),
};
const answersWith = (schema: Json): Json => ({
  200: { description: "Done.", content: jsonContent(schema) },
  default: ERROR_ANSWER,
});

/** Several shapes are alternatives. */
const contentOfShapes = (names: readonly Shape[]): Json =>
  jsonContent(names.length === 1 ? schemaRef(names[0]!) : { anyOf: names.map(schemaRef) });
/** An empty list means an empty body. */
const answersWithShapes = (shapes: readonly Shape[]): Json => ({
  200: { description: "Done.", ...(shapes.length > 0 && { content: contentOfShapes(shapes) }) },
  default: ERROR_ANSWER,
});

/** Describes the whole API as OpenAPI 3.1. */
export function buildOpenApi({ base, services, endpoints }: ApiDescription): Json {
  const paths: Record<string, Json> = {};
  const components = new Components();
  for (const it of endpoints) {
    // Service methods are documented individually, by POST.
    if (it.method === "POST" && it.path === "/services/{service}/{method}") continue;
    (paths[it.path] ??= {})[it.method.toLowerCase()] = it.declared
      ? describeDeclared(it.declared, components)
      : describeEndpoint(it);
  }
  for (const it of services) paths[`/services/${it.service}/${it.name}`] = { post: describeService(it) };
  for (const it of SEARCH_ENDPOINTS)
    (paths[it.path] ??= {})[it.method] = describeSearchEndpoint(it, new URL(base).origin);
  return {
    openapi: "3.1.0",
    info: {
      title: "Kith",
      version: "1",
      description:
        "The community and your own data tables, in the protocol of Backendless clients. Published " +
        "entities are tables like any other.",
      license: { name: "AGPL-3.0-or-later", identifier: "AGPL-3.0-or-later" },
    },
    servers: [{ url: base }],
    security: [{}, { session: [] }],
    tags: [...new Set(services.map(({ service }) => service))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "header",
          name: "user-token",
          description: "Token of a session, from `POST /users/login`.",
        },
        searchApp: { type: "apiKey", in: "header", name: "x-algolia-application-id" },
        searchKey: {
          type: "apiKey",
          in: "header",
          name: "x-algolia-api-key",
          description: "The search key, or a key derived from the server key.",
        },
      },
      schemas: {
        Fault: ERROR_SCHEMA,
        ...SHAPES,
        ...components.schemas,
        ...Object.fromEntries(API_ENTITIES.map((noun) => [noun.name, describeEntity(noun)])),
      },
    },
  };
}

const ERROR_SCHEMA: Json = {
  type: "object",
  required: ["code", "message"],
  properties: { code: { type: "integer" }, message: { type: "string" }, errorData: { type: "object" } },
};

const pathParam = (name: string) => ({ name, in: "path", required: true });

function describeEndpoint({ method, path, about, params, exchange }: Endpoint): Json {
  const parts = params.map((name) => ({
    ...pathParam(name),
    schema: { type: "string", ...(name === "table" && EXAMPLES) },
  }));
  const asked = (exchange?.asks ?? []).map((name) => ({ name, in: "query", schema: { type: "string" } }));
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_")}`,
    ...(about && { summary: about }),
    tags: [path.split("/")[1]!],
    ...(parts.length + asked.length > 0 && { parameters: [...parts, ...asked] }),
    ...(exchange?.takes && { requestBody: { content: contentOfShapes(exchange.takes) } }),
    responses: exchange ? answersWithShapes(exchange.gives) : answersWith({}),
  };
}
const EXAMPLES: Json = { examples: API_ENTITIES.map((noun) => noun.name) };

const describeSearchEndpoint = (
  { method, path, about, exchange: { takes, gives } }: (typeof SEARCH_ENDPOINTS)[number],
  origin: string,
): Json => ({
  operationId: `${method}${path.replace(/[^A-Za-z0-9]+/g, "_")}`,
  summary: about,
  tags: ["search"],
  servers: [{ url: origin }],
  security: [{ searchApp: [], searchKey: [] }],
  parameters: (path.match(/\{\w+\}/g) ?? []).map((name) => ({
    ...pathParam(name.slice(1, -1)),
    schema: { type: "string" },
  })),
  ...(takes && { requestBody: { content: contentOfShapes(takes) } }),
  responses: {
    ...answersWithShapes(gives),
    default: { description: "Error: a message.", content: jsonContent(schemaRef("SearchFault")) },
  },
});

const describeService = ({
  service,
  name,
  about,
  input,
  schema,
}: ApiDescription["services"][number]): Json => ({
  operationId: `${service}.${name}`,
  summary: about,
  tags: [service],
  requestBody: { content: jsonContent(schema ?? inputSchemaOf({ input })) },
  responses: answersWith({}),
});

/** An entity record as read; columns the reader may not see are null. */
function describeEntity({ about, columns, relations }: ApiEntity): Json {
  const many = (name: string): Json => ({ type: "array", items: schemaRef(name) });
  return {
    type: "object",
    description: about,
    properties: {
      ___class: { type: "string" },
      ...Object.fromEntries(columns.map((column) => [column.name, columnType(column)])),
      ...Object.fromEntries(
        relations.map(({ name, toTable, kind }) => [
          name,
          kind === "ONE_TO_MANY" ? many(toTable) : schemaRef(toTable),
        ]),
      ),
    },
  };
}

const COLUMN_TYPES: Record<EntityColumn["type"], Json> = {
  STRING_ID: { type: ["string", "null"] },
  STRING: { type: ["string", "null"] },
  TEXT: { type: ["string", "null"] },
  INT: { type: ["integer", "null"] },
  DOUBLE: { type: ["number", "null"] },
  BOOLEAN: { type: ["boolean", "null"] },
  DATETIME: { type: ["integer", "null"], description: "Milliseconds since 1970." },
  JSON: {},
};
const columnType = ({ name, type }: EntityColumn): Json =>
  name === "objectId" ? { type: "string" } : COLUMN_TYPES[type];
