import { z } from "zod";
import { type Index, INDICES, indicesInScope, type SearchEngine } from "#community/search";
import {
  runPreparedRequests,
  readFacet,
  runConcurrently,
  prepareRequest,
  readRequests,
  readRequiredText,
} from "./run-requests.ts";
import { browseIndex } from "./browse.ts";
import { type Caller, chargeQueries } from "./search-caller.ts";
import { SearchApiError, notAllowedError } from "./search-api-error.ts";
import { DOCSEARCH_INDEX, parseIndexName, INDEX_NAMES, listReplicas, indexSettings } from "./index-names.ts";
import { getObject, getObjects } from "./records/get-objects.ts";
import { recommendHits, readRecommendation } from "./recommendations.ts";
import { defineSearchEndpoint, type SearchCall } from "./search-endpoint.ts";
import {
  BrowseBody,
  InsightsEventsResponse,
  EventsBody,
  FacetHits,
  IndexList,
  IndexSettings,
  QueriesBody,
  RequestsBody,
  RulesBody,
  SearchAnswer,
  SearchBody,
  SearchKey,
  SearchRecord,
  SearchResults,
} from "./search-shapes.ts";

const MAX_OBJECTS = 1_000;
const MAX_EVENTS = 1_000;

/** HTTP methods of the protocol. */
export const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

const charge = ({ app, caller, address }: SearchCall, queries: number) =>
  chargeQueries(app, caller, address, queries);

async function runSearch(call: SearchCall, facet: string | null) {
  await charge(call, 1);
  return prepareRequest(call.engine, call.caller, call.path["index"]!, call.body, facet).run();
}

const posts = { index: "posts" };
const request = { indexName: "posts", query: "bean" };
const record = { indexName: "posts", objectID: "post-1" };

/** All endpoints of the search API. In their paths `:all` is a literal asterisk. */
export const SEARCH_ENDPOINTS = [
  defineSearchEndpoint({
    method: "POST",
    path: "/1/indexes/:all/queries",
    summary: 'Runs up to 50 requests for hits or, with `type: "facet"`, for facet values.',
    body: QueriesBody,
    response: SearchResults,
    example: { body: { requests: [request], strategy: "stopIfEnoughMatches" } },
    async handle(call) {
      const requests = readRequests(call.body);
      await charge(call, requests.length);
      const questions = requests.map((it) =>
        prepareRequest(call.engine, call.caller, readRequiredText(it, "indexName"), it, readFacet(it)),
      );
      return { results: await runPreparedRequests(questions, call.body["strategy"]) };
    },
  }),
  defineSearchEndpoint({
    method: "POST",
    path: "/1/indexes/:index/query",
    summary: "Runs one request.",
    body: SearchBody,
    response: SearchAnswer,
    example: { params: posts, body: { query: "bean" } },
    handle: (call) => runSearch(call, null),
  }),
  defineSearchEndpoint({
    method: "POST",
    path: "/1/indexes/:index/facets/:facet/query",
    summary: "Returns values of a facet that begin with `facetQuery`.",
    body: SearchBody,
    response: FacetHits,
    example: { params: { ...posts, facet: "tags" }, body: { facetQuery: "bea" } },
    handle: (call) => runSearch(call, call.path["facet"]!),
  }),
  defineSearchEndpoint({
    method: "POST",
    path: "/1/indexes/:all/objects",
    summary: "Returns records by their ids.",
    body: RequestsBody,
    response: SearchResults,
    example: { body: { requests: [record] } },
    async handle(call) {
      const requests = readRequests(call.body, MAX_OBJECTS);
      await charge(call, 1);
      return { results: await getObjects(call.engine, call.caller, requests) };
    },
  }),
  defineSearchEndpoint({
    method: "GET",
    path: "/1/indexes/:index/:objectID",
    summary: "Returns one record by its id.",
    query: z.object({ attributesToRetrieve: z.string().optional() }),
    response: SearchRecord,
    example: { params: { ...posts, objectID: "post-1" } },
    async handle(call) {
      await charge(call, 1);
      const { index, objectID } = call.path;
      return getObject(call.engine, call.caller, index!, objectID!, call.query["attributesToRetrieve"]);
    },
  }),
  defineSearchEndpoint({
    method: "POST",
    path: "/1/indexes/:all/recommendations",
    summary: "Returns related or popular records.",
    body: RequestsBody,
    response: SearchResults,
    example: { body: { requests: [{ ...record, model: "related-products", threshold: 0 }] } },
    async handle(call) {
      const requests = readRequests(call.body);
      await charge(call, requests.length);
      const inputs = requests.map((it) => readRecommendation(call.caller, it, call.app.now()));
      return {
        results: await runConcurrently(inputs.map((input) => () => recommendHits(call.engine, input))),
      };
    },
  }),
  defineSearchEndpoint({
    method: "GET",
    path: "/1/keys/:key",
    summary: "Returns the permissions of the caller's own key.",
    response: SearchKey,
    example: { params: { key: "key-of-the-caller" } },
    handle: async ({ caller, path }) => describeKey(caller, path["key"]!),
  }),
  defineSearchEndpoint({
    method: "POST",
    path: "/1/events",
    summary: "Accepts events, and does not store them.",
    body: EventsBody,
    response: InsightsEventsResponse,
    example: { body: { events: [{ eventType: "click", eventName: "Hit clicked", index: "posts" }] } },
    async handle(call) {
      await charge(call, 1);
      return acceptEvents(call.body);
    },
  }),
  defineSearchEndpoint({
    method: "POST",
    path: "/1/indexes/:index/browse",
    summary: "Returns all records by page with a cursor, newest first.",
    right: "browse",
    body: BrowseBody,
    response: SearchAnswer,
    example: { params: posts, body: { hitsPerPage: 100 } },
    async handle(call) {
      await charge(call, 1);
      return browseIndex(call.engine, call.caller, call.path["index"]!, call.body);
    },
  }),
  defineSearchEndpoint({
    method: "GET",
    path: "/1/indexes/:index/settings",
    summary: "Returns the settings of an index.",
    right: "settings",
    response: IndexSettings,
    example: { params: posts },
    handle: async ({ path }) => indexSettings(parseIndexName(path["index"]!).index),
  }),
  defineSearchEndpoint({
    method: "GET",
    path: "/1/indexes",
    summary: "Lists the indices.",
    right: "listIndexes",
    response: IndexList,
    async handle(call) {
      await charge(call, INDEX_NAMES.length);
      const counts = await runConcurrently(
        INDICES.map(
          (index) => async () => [index, await countDocuments(call.engine, call.caller, index)] as const,
        ),
      );
      return { items: formatIndexList(new Map(counts), call.app.now()), nbPages: 1 };
    },
  }),
  ...["rules", "synonyms"].map((kind) =>
    defineSearchEndpoint({
      method: "POST",
      path: `/1/indexes/:index/${kind}/search`,
      summary: `Returns no ${kind}: there are none.`,
      right: "settings",
      body: RulesBody,
      response: SearchAnswer,
      example: { params: posts, body: { query: "" } },
      handle: async () => ({ hits: [], nbHits: 0, page: 0, nbPages: 0 }),
    }),
  ),
];

/** Refuses an operation that no key permits, with the error that clients expect. */
export const refuseAccess = async () => Promise.reject(notAllowedError());

const ADMIN_PATHS = [
  "/keys",
  "/logs",
  "/clusters",
  "/dictionaries",
  "/security",
  "/task",
  "/places",
  "/strategies",
  "/usage",
];

/**
 * Paths of the protocol that are always refused: writing, administration, and reading what others searched
 * for.
 */
export const REFUSED_ROUTES = [
  { method: ["POST", "PUT", "DELETE"] as const, url: "/1/indexes" },
  ...["/1/indexes/*", ...ADMIN_PATHS.flatMap((path) => [`/1${path}`, `/1${path}/*`])].map((url) => ({
    method: METHODS,
    url,
  })),
];

/**
 * Counts the documents of an index that the caller can find; in very large indices the count is a lower
 * bound.
 */
async function countDocuments(engine: SearchEngine, { viewer }: Caller, index: Index): Promise<number> {
  // Requesting a facet makes the engine scan the whole index.
  return (await engine.search(viewer, { index, words: "", length: 0, facets: ["type"] })).total;
}

/** Lists all index names in the clients' format: the indices, the combined one, and their replicas. */
function formatIndexList(counts: ReadonlyMap<Index, number>, now: Date) {
  const sum = (names: readonly Index[]) => names.reduce((total, name) => total + (counts.get(name) ?? 0), 0);
  const about = (entries: number) => ({
    entries,
    createdAt: CREATED_AT,
    updatedAt: now.toISOString(),
    dataSize: 0,
    fileSize: 0,
    lastBuildTimeS: 0,
    numberOfPendingTasks: 0,
    pendingTask: false,
  });
  const indices = INDICES.flatMap((name) => {
    const replicas = listReplicas(name);
    const own = about(counts.get(name) ?? 0);
    return [
      { name, ...own, replicas },
      ...replicas.map((replica) => ({ name: replica, ...own, primary: name })),
    ];
  });
  const inDocs = sum(indicesInScope("documentation"));
  return [...indices, { name: "all", ...about(sum(INDICES)) }, { name: DOCSEARCH_INDEX, ...about(inDocs) }];
}

/** Clients expect a creation date, which our indices do not have. */
const CREATED_AT = new Date(0).toISOString();

/** Describes the permissions of a key to its holder. Any other key is refused. */
function describeKey({ key, acl, indices, validUntil }: Caller, asked: string) {
  if (asked !== key) throw notAllowedError();
  const validity = validUntil === 0 ? 0 : Math.max(0, validUntil - Math.floor(Date.now() / 1_000));
  return {
    value: key,
    acl,
    indexes: indices ?? [],
    validity,
    createdAt: 0,
    maxHitsPerQuery: 0,
    maxQueriesPerIPPerHour: 0,
  };
}

/**
 * Accepts click events and discards them, because searches are not tracked.
 * @throws 400 for anything but a list of events
 */
function acceptEvents({ events }: Record<string, unknown>) {
  if (
    !Array.isArray(events) ||
    events.length > MAX_EVENTS ||
    events.some((it) => typeof it !== "object" || it === null)
  )
    throw new SearchApiError(400, `events: must be a list of at most ${MAX_EVENTS} objects`);
  return { status: 200, message: "OK" };
}
