import type { Method } from "#baas/extensions";
import { type EntityColumn, type ApiEntity, API_ENTITIES } from "#community/api-entities";
import { getInputSchema } from "#community/services";
import { Components, describeEndpoint, errorResponse, formatPath } from "./describe-endpoint.ts";
import { ENDPOINTS } from "../rest/index.ts";
import { SEARCH_ENDPOINTS, type SearchEndpoint, SearchError } from "../search/index.ts";

type Json = Record<string, unknown>;
/** Sources of the generated documentation. */
export type ApiDescription = {
  /** Base URL of an app, with its client key. */
  base: string;
  services: readonly Pick<Method<never>, "service" | "name" | "about" | "input" | "schema">[];
};

const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const jsonContent = (schema: Json): Json => ({ "application/json": { schema } });
/** Describes the whole API as OpenAPI 3.1. */
export function buildOpenApi({ base, services }: ApiDescription): Json {
  const paths: Record<string, Json> = {};
  const components = new Components();
  const add = ({ method, path }: { method: string; path: string }, operation: Json) =>
    void ((paths[formatPath(path)] ??= {})[method.toLowerCase()] = operation);
  for (const it of ENDPOINTS) {
    // Service methods are documented individually, each as a POST.
    if (it.method === "POST" && it.path === "/services/:service/:method") continue;
    add(it, describeEndpoint(it, components));
  }
  for (const it of services)
    add({ method: "POST", path: `/services/${it.service}/${it.name}` }, describeService(it, components));
  for (const it of SEARCH_ENDPOINTS) add(it, describeSearchEndpoint(it, components, new URL(base).origin));
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
        ...components.schemas,
        ...Object.fromEntries(API_ENTITIES.map((entity) => [entity.name, describeEntity(entity)])),
      },
    },
  };
}

/**
 * Search endpoints have the server's origin as their base, not the app path, and take their keys in headers.
 */
const describeSearchEndpoint = (endpoint: SearchEndpoint, components: Components, origin: string): Json => ({
  ...describeEndpoint(endpoint, components, SearchError),
  tags: ["search"],
  servers: [{ url: origin }],
  security: [{ searchApp: [], searchKey: [] }],
});

const describeService = (
  { service, name, about, input, schema }: ApiDescription["services"][number],
  components: Components,
): Json => ({
  operationId: `${service}.${name}`,
  summary: about,
  tags: [service],
  requestBody: { content: jsonContent(schema ?? getInputSchema({ input })) },
  responses: {
    200: { description: "Done.", content: jsonContent({}) },
    default: errorResponse(components),
  },
});

/** Schema of an entity record as clients read it; columns that the caller may not see are null. */
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
