import { type Index, INDICES, indicesInScope, type SearchEngine } from "#community/search";
import {
  answerAll,
  readFacet,
  runConcurrently,
  prepareRequest,
  readRequests,
  readRequiredText,
} from "./run-requests.ts";
import { browseIndex } from "./browse.ts";
import { assertPermission, type Caller, type SearchKeyContext, chargeQueries } from "./search-caller.ts";
import { SearchApiError, notAllowedError } from "./search-api-error.ts";
import { DOCSEARCH_INDEX, parseIndexName, INDEX_NAMES, listReplicas, indexSettings } from "./index-names.ts";
import { getObject, getObjects } from "./records/get-objects.ts";
import { recommendHits, readRecommendation } from "./recommendations.ts";

const MAX_OBJECTS = 1_000;
const MAX_EVENTS = 1_000;

/** A call: its caller and input. */
export type SearchCall = {
  caller: Caller;
  body: Record<string, unknown>;
  path: Record<string, string>;
  query: Record<string, unknown>;
  address: string;
};
type SearchRoute = (asked: SearchCall) => Promise<object>;

/** Every route of the search API, below `/1`. */
export function createSearchRoutes(app: SearchKeyContext, engine: SearchEngine): Record<string, SearchRoute> {
  const paid = ({ caller, address }: SearchCall, questions: number) =>
    chargeQueries(app, caller, address, questions);
  const one = async (asked: SearchCall, facet: string | null) => {
    await paid(asked, 1);
    return prepareRequest(engine, asked.caller, asked.path["index"]!, asked.body, facet).run();
  };
  return {
    async "POST /indexes/:all/queries"(asked) {
      const requests = readRequests(asked.body);
      await paid(asked, requests.length);
      const questions = requests.map((it) =>
        prepareRequest(engine, asked.caller, readRequiredText(it, "indexName"), it, readFacet(it)),
      );
      return { results: await answerAll(questions, asked.body["strategy"]) };
    },
    "POST /indexes/:index/query": (asked) => one(asked, null),
    "POST /indexes/:index/facets/:facet/query": (asked) => one(asked, asked.path["facet"]!),
    async "POST /indexes/:all/objects"(asked) {
      const requests = readRequests(asked.body, MAX_OBJECTS);
      await paid(asked, 1);
      return { results: await getObjects(engine, asked.caller, requests) };
    },
    async "GET /indexes/:index/:objectID"(asked) {
      await paid(asked, 1);
      const { index, objectID } = asked.path;
      return getObject(engine, asked.caller, index!, objectID!, asked.query["attributesToRetrieve"]);
    },
    async "POST /indexes/:all/recommendations"(asked) {
      const requests = readRequests(asked.body);
      await paid(asked, requests.length);
      const wishes = requests.map((it) => readRecommendation(asked.caller, it, app.now()));
      return { results: await runConcurrently(wishes.map((wish) => () => recommendHits(engine, wish))) };
    },
    "GET /keys/:key": async ({ caller, path }) => describeKey(caller, path["key"]!),
    async "POST /events"(asked) {
      await paid(asked, 1);
      return acceptEvents(asked.body);
    },
    async "POST /indexes/:index/browse"(asked) {
      assertPermission(asked.caller, "browse");
      await paid(asked, 1);
      return browseIndex(engine, asked.caller, asked.path["index"]!, asked.body);
    },
    async "GET /indexes/:index/settings"({ caller, path }) {
      assertPermission(caller, "settings");
      return indexSettings(parseIndexName(path["index"]!).index);
    },
    async "GET /indexes"(asked) {
      assertPermission(asked.caller, "listIndexes");
      await paid(asked, INDEX_NAMES.length);
      const counts = await runConcurrently(
        INDICES.map(
          (index) => async () => [index, await countDocuments(engine, asked.caller, index)] as const,
        ),
      );
      return { items: formatIndexList(new Map(counts), app.now()), nbPages: 1 };
    },
    "POST /indexes/:index/rules/search": async ({ caller }) => answerEmptyList(caller),
    "POST /indexes/:index/synonyms/search": async ({ caller }) => answerEmptyList(caller),
    // Operations no key may do, with the error clients know: writing, administration, others' activity.
    "POST,PUT,DELETE /indexes": refuseAccess,
    "* /indexes/*": refuseAccess,
    ...Object.fromEntries(
      ADMIN_PATHS.flatMap((path) => [`* ${path}`, `* ${path}/*`]).map((route) => [route, refuseAccess]),
    ),
  };
}

const refuseAccess: SearchRoute = async () => Promise.reject(notAllowedError());
/** Administration paths of the hosted service's clients. */
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

/** Documents the caller finds in an index; a lower bound where there are very many. */
async function countDocuments(engine: SearchEngine, { viewer }: Caller, index: Index): Promise<number> {
  // Faceting makes the engine scan all of it.
  return (await engine.search(viewer, { index, words: "", length: 0, facets: ["type"] })).total;
}

/** Every index name as clients list them: indices, the combined one, and their replicas. */
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

/** Clients expect a time; an index here has no creation date. */
const CREATED_AT = new Date(0).toISOString();

/** There are no rules and no synonyms. */
function answerEmptyList(caller: Caller) {
  assertPermission(caller, "settings");
  return { hits: [], nbHits: 0, page: 0, nbPages: 0 };
}

/** Permissions of a key, shown to its holder; other keys are not found. */
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
 * Click events are accepted and discarded: searches are not tracked.
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
