import { getInputSchema } from "#community/services";
import { parseTrustedJson } from "#platform/json";
import { z } from "zod";
import type { Endpoint, Example } from "../rest/index.ts";

export type Json = Record<string, unknown>;

const JSON_TYPE = "application/json";

/**
 * Formats a path with its parameters in braces. `:all` stands for the literal asterisk in paths of search
 * clients, because the router would treat `*` as a wildcard.
 */
export const formatPath = (path: string): string =>
  path
    .replace("*", "{path}")
    .replace(":all", "*")
    .replace(/:(\w+)/g, "{$1}");

/** Names of the parameters of a path. */
export const listPathParams = (path: string): string[] =>
  [...path.replace("*", ":path").matchAll(/:(?!all\b)(\w+)/g)].map((match) => match[1]!);

/** Collects the named schemas of an OpenAPI document, which endpoints refer to. */
export class Components {
  readonly schemas: Record<string, Json> = {};

  /**
   * JSON Schema of a zod schema's input. Schemas with an id are added to the components once and referenced.
   */
  schemaOf(schema: z.ZodType): Json {
    const text = JSON.stringify(getInputSchema({ input: schema })).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    );
    const {
      $schema: _,
      contentType: __,
      $defs = {},
      ...described
    } = parseTrustedJson<Json & { $defs?: Record<string, Json> }>(text);
    for (const [name, part] of Object.entries($defs)) this.#add(name, part);
    const { id } = described as { id?: string };
    if (id === undefined) return described;
    this.#add(id, described);
    return { $ref: `#/components/schemas/${id}` };
  }

  /** Schemas by content type. The type is JSON unless the schema, or an alternative of it, names another. */
  contentOf(schema: z.ZodType, { body: example, contentType = JSON_TYPE }: Example = {}): Json {
    const choices =
      schema instanceof z.ZodUnion ? schema.options.filter((it) => it instanceof z.ZodType) : [schema];
    const byType = Map.groupBy(choices, contentTypeOf);
    return Object.fromEntries(
      [...byType].map(([type, alternatives]) => [
        type,
        {
          schema:
            alternatives.length === 1
              ? this.schemaOf(alternatives[0]!)
              : { anyOf: alternatives.map((it) => this.schemaOf(it)) },
          ...(example !== undefined && [contentType, "*/*"].includes(type) && { example }),
        },
      ]),
    );
  }

  #add(name: string, { id: _, ...schema }: Json) {
    this.schemas[name] = schema;
  }
}

function contentTypeOf(schema: z.ZodType): string {
  const type = schema.meta()?.["contentType"];
  return typeof type === "string" ? type : JSON_TYPE;
}

/** Body of every error of the REST API. */
export const ApiError = z
  .object({ code: z.int(), message: z.string(), errorData: z.looseObject({}).optional() })
  .meta({ id: "Error" });

/** Describes an endpoint as an OpenAPI operation. */
export function describeEndpoint(
  endpoint: Omit<Endpoint, "handle">,
  components: Components,
  error: z.ZodType = ApiError,
): Json {
  const { method, path, summary, permission, query, body, response, status = 200, example } = endpoint;
  const parameters = [
    ...listPathParams(path).map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
      ...exampleOf(example.params?.[name === "path" ? "*" : name]),
    })),
    ...(query ? describeQuery(query, example.query ?? {}, components) : []),
  ];
  return {
    operationId: `${method.toLowerCase()}${formatPath(path).replace(/[^A-Za-z0-9]+/g, "_")}`,
    summary,
    ...(permission.caller !== "guest" && { description: `For ${permission.name}.` }),
    tags: [path.split("/")[1]!],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { content: components.contentOf(body, example) } }),
    responses: {
      ...(status < 400 && {
        [status]: {
          description: "Done.",
          ...(response && { content: components.contentOf(response) }),
        },
      }),
      default: errorResponse(components, error),
    },
  };
}

export const errorResponse = (components: Components, error: z.ZodType = ApiError): Json => ({
  description: "Error.",
  content: components.contentOf(error),
});

const exampleOf = (example: string | undefined) => (example === undefined ? {} : { example });

function describeQuery(query: z.ZodType, example: Record<string, string>, components: Components) {
  const { properties = {}, required = [] } = components.schemaOf(query) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    schema,
    ...exampleOf(example[name]),
  }));
}
