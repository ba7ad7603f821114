import { type Index, INDICES, type SearchEngine } from "#community/search";
import { answerAll, facetIn, inLanes, ready, requestsIn, textIn } from "./asking.ts";
import { browse } from "./browse.ts";
import { assertMay, type Caller, type KeyHouse, pay } from "./caller.ts";
import { Fault, notAllowed } from "./fault.ts";
import { DOCS, indexOf, NAMES, replicasOf, settingsOf } from "./indices.ts";
import { object, objects } from "./objects.ts";
import { recommend, wishIn } from "./recommend.ts";

const MOST_OBJECTS = 1_000;
const MOST_EVENTS = 1_000;

/** A call: its caller and input. */
export type Asked = {
  caller: Caller;
  body: Record<string, unknown>;
  path: Record<string, string>;
  query: Record<string, unknown>;
  address: string;
};
type Answer = (asked: Asked) => Promise<object>;

/** Every route of the search API, below `/1`. */
export function answersOf(house: KeyHouse, engine: SearchEngine): Record<string, Answer> {
  const paid = ({ caller, address }: Asked, questions: number) => pay(house, caller, address, questions);
  const one = async (asked: Asked, facet: string | null) => {
    await paid(asked, 1);
    return ready(engine, asked.caller, asked.path["index"]!, asked.body, facet).run();
  };
  return {
    async "POST /indexes/:all/queries"(asked) {
      const requests = requestsIn(asked.body);
      await paid(asked, requests.length);
      const questions = requests.map((it) => ready(engine, asked.caller, textIn(it, "indexName"), it, facetIn(it)));
      return { results: await answerAll(questions, asked.body["strategy"]) };
    },
    "POST /indexes/:index/query": (asked) => one(asked, null),
    "POST /indexes/:index/facets/:facet/query": (asked) => one(asked, asked.path["facet"]!),
    async "POST /indexes/:all/objects"(asked) {
      const requests = requestsIn(asked.body, MOST_OBJECTS);
      await paid(asked, 1);
      return { results: await objects(engine, asked.caller, requests) };
    },
    async "GET /indexes/:index/:objectID"(asked) {
      await paid(asked, 1);
      const { index, objectID } = asked.path;
      return object(engine, asked.caller, index!, objectID!, asked.query["attributesToRetrieve"]);
    },
    async "POST /indexes/:all/recommendations"(asked) {
      const requests = requestsIn(asked.body);
      await paid(asked, requests.length);
      const wishes = requests.map((it) => wishIn(asked.caller, it, house.now()));
      return { results: await inLanes(wishes.map((wish) => () => recommend(engine, wish))) };
    },
    "GET /keys/:key": async ({ caller, path }) => keyOf(caller, path["key"]!),
    async "POST /events"(asked) {
      await paid(asked, 1);
      return takeEvents(asked.body);
    },
    async "POST /indexes/:index/browse"(asked) {
      assertMay(asked.caller, "browse");
      await paid(asked, 1);
      return browse(engine, asked.caller, asked.path["index"]!, asked.body);
    },
    async "GET /indexes/:index/settings"({ caller, path }) {
      assertMay(caller, "settings");
      return settingsOf(indexOf(path["index"]!).index);
    },
    async "GET /indexes"(asked) {
      assertMay(asked.caller, "listIndexes");
      await paid(asked, NAMES.length);
      const counts = await inLanes(INDICES.map((index) => async () => [index, await countIn(engine, asked.caller, index)] as const));
      return { items: listedOf(new Map(counts), house.now()), nbPages: 1 };
    },
    "POST /indexes/:index/rules/search": async ({ caller }) => none(caller),
    "POST /indexes/:index/synonyms/search": async ({ caller }) => none(caller),
    // Operations no key may do, with the error clients know: writing, administration, others' activity.
    "POST,PUT,DELETE /indexes": refuse,
    "* /indexes/*": refuse,
    ...Object.fromEntries(ADMIN.flatMap((path) => [`* ${path}`, `* ${path}/*`]).map((route) => [route, refuse])),
  };
}

const refuse: Answer = async () => Promise.reject(notAllowed());
/** Administration paths of the hosted service's clients. */
const ADMIN = ["/keys", "/logs", "/clusters", "/dictionaries", "/security", "/task", "/places", "/strategies", "/usage"];

/** Documents the caller finds in an index; a lower bound where there are very many. */
async function countIn(engine: SearchEngine, { viewer }: Caller, index: Index): Promise<number> {
  // Faceting makes the engine scan all of it.
  return (await engine.search(viewer, { index, words: "", length: 0, facets: ["type"] })).total;
}

/** Every index name as clients list them: indices, the combined one, and their replicas. */
function listedOf(counts: ReadonlyMap<Index, number>, now: Date) {
  const sum = (names: readonly Index[]) => names.reduce((total, name) => total + (counts.get(name) ?? 0), 0);
  const about = (entries: number) => ({
    entries,
    createdAt: BEGUN,
    updatedAt: now.toISOString(),
    dataSize: 0,
    fileSize: 0,
    lastBuildTimeS: 0,
    numberOfPendingTasks: 0,
    pendingTask: false,
  });
  const indices = INDICES.flatMap((name) => {
    const replicas = replicasOf(name);
    const own = about(counts.get(name) ?? 0);
    return [{ name, ...own, replicas }, ...replicas.map((replica) => ({ name: replica, ...own, primary: name }))];
  });
  const inDocs = INDICES.filter((name) => name !== "people" && name !== "messages");
  return [...indices, { name: "all", ...about(sum(INDICES)) }, { name: DOCS, ...about(sum(inDocs)) }];
}

/** Clients expect a time; an index here has no creation date. */
const BEGUN = new Date(0).toISOString();

/** There are no rules and no synonyms. */
function none(caller: Caller) {
  assertMay(caller, "settings");
  return { hits: [], nbHits: 0, page: 0, nbPages: 0 };
}

/** Permissions of a key, shown to its holder; other keys are not found. */
function keyOf({ key, acl, indices, validUntil }: Caller, asked: string) {
  if (asked !== key) throw notAllowed();
  const validity = validUntil === 0 ? 0 : Math.max(0, validUntil - Math.floor(Date.now() / 1_000));
  return { value: key, acl, indexes: indices ?? [], validity, createdAt: 0, maxHitsPerQuery: 0, maxQueriesPerIPPerHour: 0 };
}

/**
 * Click events are accepted and discarded: searches are not tracked.
 * @throws 400 for anything but a list of events
 */
function takeEvents({ events }: Record<string, unknown>) {
  if (!Array.isArray(events) || events.length > MOST_EVENTS || events.some((it) => typeof it !== "object" || it === null))
    throw new Fault(400, `events: must be a list of at most ${MOST_EVENTS} objects`);
  return { status: 200, message: "OK" };
}
