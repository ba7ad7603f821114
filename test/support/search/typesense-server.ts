import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import {
  parseFilterBy,
  matchDocuments,
  type MatchedDocument,
  type StoredDocument,
} from "./typesense-filters.ts";

type Field = { name: string; type: string; facet?: boolean };
type Collection = { fields: Field[]; documents: Map<string, StoredDocument> };
type ServerAnswer = { status: number; body: unknown };
class ServerError extends Error {
  status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const KEY = "outside-key";

/**
 * Starts a stand-in server with Typesense's protocol: collections with strict fields, aliases, line imports,
 * and searches with filters, facets, sorting and paging. Of the credentials it checks only the API key.
 */
export async function startTypesenseServer() {
  const collections = new Map<string, Collection>();
  const aliases = new Map<string, string>();
  const state = { away: false, asked: [] as Record<string, unknown>[] };
  const getCollection = (name: string) => {
    const found = collections.get(aliases.get(name) ?? name);
    if (!found) throw new ServerError(404, "Not Found");
    return found;
  };
  const routes: [
    method: string,
    path: RegExp,
    answer: (match: string[], body: string, query: URLSearchParams) => ServerAnswer,
  ][] = [
    [
      "POST",
      /^\/collections$/,
      (_match, body) => {
        const { name, fields } = JSON.parse(body) as { name: string; fields: Field[] };
        if (collections.has(name)) throw new ServerError(409, "A collection with this name exists");
        collections.set(name, { fields, documents: new Map() });
        return { status: 201, body: { name } };
      },
    ],
    [
      "DELETE",
      /^\/collections\/([^/]+)$/,
      ([, name]) => {
        if (!collections.delete(name!)) throw new ServerError(404, "No collection with this name");
        return { status: 200, body: { name } };
      },
    ],
    [
      "POST",
      /^\/collections\/([^/]+)\/documents\/import$/,
      ([, name], body, query) => {
        if (query.get("action") !== "upsert") throw new ServerError(400, "Only upsert is known here");
        const { fields, documents } = getCollection(name!);
        const lines = body.split("\n").map((line) => {
          const document = JSON.parse(line) as StoredDocument;
          const wrong = fields.find(({ name: field, type }) => !hasType(type, document[field]));
          if (wrong)
            return { success: false, error: `Field ${wrong.name} must be ${wrong.type}`, document: line };
          documents.set(document.id, document);
          return { success: true };
        });
        return { status: 200, body: lines.map((it) => JSON.stringify(it)).join("\n") };
      },
    ],
    [
      "DELETE",
      /^\/collections\/([^/]+)\/documents$/,
      ([, name], _body, query) => {
        const { documents } = getCollection(name!);
        const condition = parseFilterBy(query.get("filter_by") ?? "");
        const deleted = [...documents.values()].filter(condition);
        for (const { id } of deleted) documents.delete(id);
        return { status: 200, body: { num_deleted: deleted.length } };
      },
    ],
    [
      "GET",
      /^\/aliases$/,
      () => ({
        status: 200,
        body: { aliases: [...aliases].map(([name, collection_name]) => ({ name, collection_name })) },
      }),
    ],
    [
      "PUT",
      /^\/aliases\/([^/]+)$/,
      ([, name], body) => {
        aliases.set(name!, (JSON.parse(body) as { collection_name: string }).collection_name);
        return { status: 200, body: { name } };
      },
    ],
    [
      "DELETE",
      /^\/aliases\/([^/]+)$/,
      ([, name]) => {
        if (!aliases.delete(name!)) throw new ServerError(404, "Not Found");
        return { status: 200, body: { name } };
      },
    ],
    [
      "POST",
      /^\/multi_search$/,
      (_match, body) => {
        const { searches } = JSON.parse(body) as {
          searches: (Record<string, string | number | boolean> & { collection: string })[];
        };
        return {
          status: 200,
          body: {
            results: searches.map(
              (asked) => (state.asked.push(asked), answerSearch(getCollection(asked.collection), asked)),
            ),
          },
        };
      },
    ],
  ];
  const answering = async (request: IncomingMessage, url: URL): Promise<ServerAnswer> => {
    const body = await readText(request);
    try {
      if (state.away) throw new ServerError(503, "Not Ready or Lagging");
      if (request.headers["x-typesense-api-key"] !== KEY) throw new ServerError(401, "Forbidden");
      for (const [method, path, answered] of routes) {
        const match = request.method === method ? path.exec(url.pathname) : null;
        if (match) return answered([...match], body, url.searchParams);
      }
      throw new ServerError(404, "Not Found");
    } catch (error) {
      return {
        status: error instanceof ServerError ? error.status : 400,
        body: { message: (error as Error).message },
      };
    }
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://there");
    void answering(request, url).then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" });
      return response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://:${KEY}@127.0.0.1:${port}`,
    state,
    aliases,
    collections,
    documents: () => [...getCollection("kith").documents.values()],
    close: () => new Promise<void>((done) => (server.closeAllConnections(), server.close(() => done()))),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function hasType(type: string, value: unknown): boolean {
  if (type === "string[]") return Array.isArray(value) && value.every((it) => typeof it === "string");
  if (type === "int64") return Number.isInteger(value);
  return typeof value === (type === "float" ? "number" : type === "bool" ? "boolean" : "string");
}

function answerSearch({ fields, documents }: Collection, asked: Record<string, string | number | boolean>) {
  const limit = Number(asked["limit"] ?? 10);
  if (limit > 250) throw new ServerError(422, "Only upto 250 hits can be fetched per page.");
  const condition = parseFilterBy(String(asked["filter_by"]));
  const found = matchDocuments([...documents.values()].filter(condition), asked).toSorted(
    compareBy(String(asked["sort_by"])),
  );
  const offset = Number(asked["offset"] ?? 0);
  return {
    found: found.length,
    search_cutoff: false,
    hits: found.slice(offset, offset + limit).map(({ document, tokens }) => ({
      document: { id: document.id },
      highlights: [{ field: "body", matched_tokens: tokens }],
    })),
    facet_counts: String(asked["facet_by"] ?? "")
      .split(",")
      .filter(Boolean)
      .map((name) => countFacet(fields, name, found, asked)),
  };
}

const compareBy = (sorting: string) => (a: MatchedDocument, b: MatchedDocument) => {
  for (const [field = "", way] of sorting.split(",").map((part) => part.split(":"))) {
    const [one, other] =
      field === "_text_match" ? [a.rank, b.rank] : [Number(a.document[field]), Number(b.document[field])];
    if (one !== other) return way === "desc" ? other - one : one - other;
  }
  return 0;
};

function countFacet(
  fields: Field[],
  name: string,
  found: MatchedDocument[],
  asked: Record<string, string | number | boolean>,
) {
  const field = fields.find((it) => it.name === name);
  if (!field?.facet)
    throw new ServerError(404, `Could not find a facet field named \`${name}\` in the schema.`);
  const [of, begins = ""] = String(asked["facet_query"] ?? "").split(":");
  const counts = new Map<string, number>();
  for (const { document } of found)
    for (const value of new Set([document[name]].flat().map(String)))
      counts.set(value, (counts.get(value) ?? 0) + 1);
  const numbers = field.type === "int64" ? found.map(({ document }) => Number(document[name])) : [];
  const sum = numbers.reduce((total, it) => total + it, 0);
  return {
    field_name: name,
    counts: [...counts]
      .filter(([value]) => of !== name || value.toLowerCase().startsWith(begins.toLowerCase()))
      .map(([value, count]) => ({ value, count, highlighted: value }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, Number(asked["max_facet_values"] ?? 10)),
    stats:
      numbers.length === 0
        ? {}
        : { min: Math.min(...numbers), max: Math.max(...numbers), avg: sum / numbers.length, sum },
  };
}
