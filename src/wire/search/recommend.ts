import type { FacetValue, Filter, Query, Results, SearchEngine } from "#community/search";
import { nothing, resultOf } from "./answers.ts";
import { textIn } from "./asking.ts";
import { assertOpens, type Caller } from "./caller.ts";
import { Fault } from "./fault.ts";
import { both } from "./filters.ts";
import { indexOf } from "./indices.ts";
import { type Question, questionOf } from "./questions.ts";

type Asked = Record<string, unknown>;

const MOST = 30;
/** Period that counts for trends, in seconds. */
const LATELY = 30 * 24 * 3_600;
/** Words of a title used to find similar documents. */
const WORDS = 12;

const MODELS = [
  "related-products",
  "bought-together",
  "trending-items",
  "trending-facets",
  "looking-similar",
  "recommended-for-you",
] as const;
type Model = (typeof MODELS)[number];

type Wish = {
  model: Model;
  threshold: number;
  most: number;
  question: Question;
  objectID: string;
  facet: string;
  value: string;
  caller: Caller;
  now: number;
};

/** Reads and validates a recommendation request. */
export function wishIn(caller: Caller, request: Asked, now: Date): Wish & { fallback: Question | null } {
  const name = textIn(request, "indexName");
  assertOpens(caller, name);
  const model = MODELS.find((it) => it === request["model"]);
  if (model === undefined) throw new Fault(400, `model: must be one of ${MODELS.join(", ")}`);
  const byItem = ["related-products", "bought-together", "looking-similar"].includes(model);
  const most = numberIn(request, "maxRecommendations", MOST) || MOST;
  const question = (inside: unknown) => questionOf(caller, name, { ...objectIn(inside), hitsPerPage: most, page: 0 });
  return {
    model,
    threshold: numberIn(request, "threshold", 0),
    most,
    question: question(request["queryParameters"]),
    // One client sends an empty object when no fallback is wanted.
    fallback: Object.keys(objectIn(request["fallbackParameters"])).length === 0 ? null : question(request["fallbackParameters"]),
    objectID: byItem ? textIn(request, "objectID") : "",
    facet:
      model === "trending-facets" ? textIn(request, "facetName") : typeof request["facetName"] === "string" ? request["facetName"] : "",
    value: typeof request["facetValue"] === "string" ? request["facetValue"] : "",
    caller,
    now: Math.floor(now.getTime() / 1_000),
  };
}

function numberIn(request: Asked, name: string, otherwise: number): number {
  const value = request[name] ?? otherwise;
  if (typeof value !== "number" || !(value >= 0)) throw new Fault(400, `${name}: must be a number`);
  return name === "maxRecommendations" ? Math.min(Math.floor(value), MOST) : value;
}

function objectIn(value: unknown): Asked {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new Fault(400, "queryParameters: must be an object");
  return value as Asked;
}

/**
 * Recommends as the viewer: similar by words and tags, recently liked, recently tagged, or unread. Which
 * documents people read together is private, so that model returns its fallback.
 */
export async function recommend(engine: SearchEngine, wish: ReturnType<typeof wishIn>) {
  const began = performance.now();
  const { question, fallback, most } = wish;
  if (wish.model === "trending-facets") return facetsTrending(engine, wish);
  const found = await foundFor(engine, wish);
  const scored = found.hits.map((hit, n) => ({ hit, score: scoreOf(n, found.hits.length) })).filter(({ score }) => score >= wish.threshold);
  const fill = fallback && scored.length < most ? await engine.search(wish.caller.viewer, fallback.query) : nothing();
  const known = new Set([wish.objectID, ...scored.map(({ hit }) => hit.document.objectID)]);
  const more = fill.hits.filter(({ document }) => !known.has(document.objectID)).slice(0, most - scored.length);
  const hits = [...scored.map(({ hit }) => hit), ...more];
  const answer = resultOf(question, { ...found, hits, total: hits.length }, Math.max(1, Math.round(performance.now() - began)));
  return { ...answer, hits: answer.hits?.map((hit, n) => ({ ...hit, _score: scored[n]?.score ?? 0 })) };
}

/** Scores from 100 downwards: engines rank without absolute scores. */
const scoreOf = (n: number, of: number) => Math.round((100 * (of - n)) / of);

async function foundFor(engine: SearchEngine, wish: Wish): Promise<Results> {
  const { viewer } = wish.caller;
  if (wish.model === "bought-together") return nothing();
  if (wish.model === "trending-items" || wish.model === "recommended-for-you") return engine.search(viewer, lately(wish));
  const [document] = await engine.get(viewer, indexOf(wish.question.name).index, [wish.objectID]);
  if (!document) return nothing();
  const words = [...document.title.split(/\s+/), ...document.tags].slice(0, WORDS).join(" ");
  const query: Query = {
    ...wish.question.query,
    words: words.slice(0, 300),
    needed: "any",
    prefix: "none",
    typos: false,
    except: document.objectID,
  };
  return words === "" ? nothing() : engine.search(viewer, query);
}

function lately({ question: { query }, facet, value, now, model }: Wish): Query {
  const conditions: Filter[] = [{ number: "createdAt", is: ">=", to: now - LATELY }];
  if (query.filter) conditions.push(query.filter);
  if (facet !== "" && value !== "") conditions.push({ facet, value });
  if (model === "recommended-for-you")
    return { ...query, filter: both([...conditions, { own: "unread" }]), sort: { by: "updatedAt", descending: true } };
  return { ...query, filter: both(conditions), sort: { by: "likes", descending: true } };
}

async function facetsTrending(engine: SearchEngine, wish: Wish) {
  const { facet, question, most, threshold } = wish;
  const { facets } = await engine.search(wish.caller.viewer, { ...lately(wish), facets: [facet], valuesPerFacet: most, length: 0 });
  const values: FacetValue[] = facets[facet] ?? [];
  const hits = values
    .map(({ value }, n) => ({ facetName: facet, facetValue: value, _score: scoreOf(n, values.length) }))
    .filter(({ _score }) => _score >= threshold);
  return { ...resultOf(question, nothing(), 1), hits, nbHits: hits.length };
}
