import { z } from "zod";
import { EngineUnavailable } from "../search-engine.ts";

/** A query with the parameter names of Typesense. */
export type TypesenseQuery = {
  q: string;
  query_by: string;
  filter_by: string;
  sort_by: string;
  offset: number;
  limit: number;
} & Record<string, string | number | boolean>;

const TypesenseAnswer = z.object({
  found: z.number(),
  search_cutoff: z.boolean().optional(),
  hits: z.array(
    z.object({
      document: z.object({ id: z.string() }),
      highlights: z
        .array(z.object({ matched_tokens: z.array(z.union([z.string(), z.array(z.string())])).optional() }))
        .optional(),
    }),
  ),
  facet_counts: z
    .array(
      z.object({
        field_name: z.string(),
        counts: z.array(z.object({ value: z.coerce.string(), count: z.number() })),
        stats: z
          .object({ min: z.number(), max: z.number(), avg: z.number(), sum: z.number() })
          .partial()
          .optional(),
      }),
    )
    .default([]),
});
export type TypesenseAnswer = z.output<typeof TypesenseAnswer>;

/** Typesense did not answer, or answered with an error. */
export class TypesenseError extends EngineUnavailable {
  override name = "OutsideFault";
}

/** Timeout of queries in milliseconds. */
const QUERY_TIMEOUT = 1_500;
/** Timeout of imports in milliseconds. */
const IMPORT_TIMEOUT = 30_000;

/**
 * Client of a Typesense server at an address such as `https://:key@search.example.org`. Every failure is a
 * `TypesenseError`, which never contains the key.
 */
export function createTypesenseClient(address: string) {
  const { origin, pathname, password } = new URL(address);
  const base = origin + pathname.replace(/\/$/, "");
  const call = async (
    method: string,
    path: string,
    body?: string,
    lasts = IMPORT_TIMEOUT,
  ): Promise<{ status: number; text: string }> => {
    try {
      const answer = await fetch(base + path, {
        method,
        headers: { "x-typesense-api-key": decodeURIComponent(password), "content-type": "application/json" },
        signal: AbortSignal.timeout(lasts),
        redirect: "error",
        ...(body !== undefined && { body }),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      throw new TypesenseError(`${method} ${path}: ${error instanceof Error ? error.message : "no answer"}`);
    }
  };
  const expecting = async (
    method: string,
    path: string,
    body?: string,
    lasts?: number,
    also: number[] = [],
  ) => {
    const answer = await call(method, path, body, lasts);
    if (answer.status >= 300 && !also.includes(answer.status))
      throw new TypesenseError(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer;
  };
  return {
    /** Searches a collection or an alias. */
    async search(collection: string, query: TypesenseQuery): Promise<TypesenseAnswer> {
      const { text } = await expecting(
        "POST",
        "/multi_search",
        JSON.stringify({ searches: [{ collection, ...query }] }),
        QUERY_TIMEOUT,
      );
      const parsed = z.object({ results: z.tuple([TypesenseAnswer]) }).safeParse(parseJson(text));
      if (!parsed.success) throw new TypesenseError(`POST /multi_search: ${text.slice(0, 300)}`);
      return parsed.data.results[0];
    },
    /** Imports documents. Each replaces the stored document with the same id. */
    async bring(collection: string, documents: readonly object[]): Promise<void> {
      const lines = documents.map((it) => JSON.stringify(it)).join("\n");
      const { text } = await expecting(
        "POST",
        `/collections/${collection}/documents/import?action=upsert`,
        lines,
      );
      const failed = text.split("\n").find((line) => line !== "" && !line.includes('"success":true'));
      // The document is invalid. A retry would fail too, so this error makes the indexer skip it.
      if (failed !== undefined)
        throw new Error(`The external search engine rejected a document: ${failed.slice(0, 300)}`);
    },
    /** Deletes documents by id; unknown ids are ignored. */
    takeOut: (collection: string, ids: readonly string[]) =>
      expecting(
        "DELETE",
        `/collections/${collection}/documents?filter_by=${encodeURIComponent(`id:[${ids.join(",")}]`)}`,
      ),
    create: (schema: object) => expecting("POST", "/collections", JSON.stringify(schema)),
    drop: (collection: string) =>
      expecting("DELETE", `/collections/${collection}`, undefined, undefined, [404]),
    /** Maps aliases to collections. */
    async aliases(): Promise<Map<string, string>> {
      const { text } = await expecting("GET", "/aliases", undefined, QUERY_TIMEOUT);
      const { aliases } = Aliases.parse(parseJson(text));
      return new Map(aliases.map((it) => [it.name, it.collection_name]));
    },
    lead: (alias: string, collection: string) =>
      expecting("PUT", `/aliases/${alias}`, JSON.stringify({ collection_name: collection })),
    unlead: (alias: string) => expecting("DELETE", `/aliases/${alias}`, undefined, undefined, [404]),
  };
}
export type Typesense = ReturnType<typeof createTypesenseClient>;

const Aliases = z.object({ aliases: z.array(z.object({ name: z.string(), collection_name: z.string() })) });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
