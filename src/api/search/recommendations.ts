import type { FacetValue, Filter, Query, Results, SearchEngine } from "#community/search";
import { isObject } from "#platform/objects";
import { emptyResults, formatResult } from "./search-answers.ts";
import { readRequiredText } from "./run-requests.ts";
import { assertIndexAllowed, type Caller } from "./search-caller.ts";
import { SearchApiError } from "./search-api-error.ts";
import { allFilters } from "./filters/filter-parser.ts";
import { parseIndexName } from "./index-names.ts";
import { type SearchRequest, readSearchRequest } from "./search-requests.ts";

type RecommendRequest = Record<string, unknown>;

const MAX_RECOMMENDATIONS = 30;
/** Seconds that count as recent for trends. */
const TREND_PERIOD = 30 * 24 * 3_600;
/** Maximum words of title and tags used to find similar documents. */
const TITLE_WORDS = 12;

const RECOMMEND_MODELS = [
  "related-products",
  "bought-together",
  "trending-items",
  "trending-facets",
  "looking-similar",
  "recommended-for-you",
] as const;
type RecommendModel = (typeof RECOMMEND_MODELS)[number];

type Recommendation = {
  model: RecommendModel;
  threshold: number;
  most: number;
  question: SearchRequest;
  objectID: string;
  facet: string;
  value: string;
  caller: Caller;
  now: number;
};

/** Reads and validates a recommendation request. */
export function readRecommendation(
  caller: Caller,
  request: RecommendRequest,
  now: Date,
): Recommendation & { fallback: SearchRequest | null } {
  const name = readRequiredText(request, "indexName");
  assertIndexAllowed(caller, name);
  const model = RECOMMEND_MODELS.find((it) => it === request["model"]);
  if (model === undefined)
    throw new SearchApiError(400, `model: must be one of ${RECOMMEND_MODELS.join(", ")}`);
  const byItem = ["related-products", "bought-together", "looking-similar"].includes(model);
  const most = readNumberParam(request, "maxRecommendations", MAX_RECOMMENDATIONS) || MAX_RECOMMENDATIONS;
  const question = (inside: unknown) =>
    readSearchRequest(caller, name, { ...readObjectParam(inside), hitsPerPage: most, page: 0 });
  return {
    model,
    threshold: readNumberParam(request, "threshold", 0),
    most,
    question: question(request["queryParameters"]),
    // One client sends an empty object for "no fallback".
    fallback:
      Object.keys(readObjectParam(request["fallbackParameters"])).length === 0
        ? null
        : question(request["fallbackParameters"]),
    objectID: byItem ? readRequiredText(request, "objectID") : "",
    facet:
      model === "trending-facets"
        ? readRequiredText(request, "facetName")
        : typeof request["facetName"] === "string"
          ? request["facetName"]
          : "",
    value: typeof request["facetValue"] === "string" ? request["facetValue"] : "",
    caller,
    now: Math.floor(now.getTime() / 1_000),
  };
}

function readNumberParam(request: RecommendRequest, name: string, otherwise: number): number {
  const value = request[name] ?? otherwise;
  if (typeof value !== "number" || !(value >= 0)) throw new SearchApiError(400, `${name}: must be a number`);
  return name === "maxRecommendations" ? Math.min(Math.floor(value), MAX_RECOMMENDATIONS) : value;
}

function readObjectParam(value: unknown): RecommendRequest {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new SearchApiError(400, "queryParameters: must be an object");
  return value;
}

/**
 * Recommends documents visible to the viewer: similar ones by words and tags, recently liked ones, recently
 * tagged ones, or unread ones. The model for documents that people read together returns its fallback,
 * because what people read is private.
 */
export async function recommendHits(engine: SearchEngine, input: ReturnType<typeof readRecommendation>) {
  const began = performance.now();
  const { question, fallback, most } = input;
  if (input.model === "trending-facets") return findTrendingFacets(engine, input);
  const found = await findRecommendations(engine, input);
  const scored = found.hits
    .map((hit, n) => ({ hit, score: rankScore(n, found.hits.length) }))
    .filter(({ score }) => score >= input.threshold);
  const fill =
    fallback && scored.length < most
      ? await engine.search(input.caller.viewer, fallback.query)
      : emptyResults();
  const known = new Set([input.objectID, ...scored.map(({ hit }) => hit.document.objectID)]);
  const more = fill.hits
    .filter(({ document }) => !known.has(document.objectID))
    .slice(0, most - scored.length);
  const hits = [...scored.map(({ hit }) => hit), ...more];
  const answer = formatResult(
    question,
    { ...found, hits, total: hits.length },
    Math.max(1, Math.round(performance.now() - began)),
  );
  return { ...answer, hits: answer.hits?.map((hit, n) => ({ ...hit, _score: scored[n]?.score ?? 0 })) };
}

/** Score of the n-th hit, falling from 100. Our engine ranks hits but gives no scores. */
const rankScore = (n: number, of: number) => Math.round((100 * (of - n)) / of);

async function findRecommendations(engine: SearchEngine, recommendation: Recommendation): Promise<Results> {
  const { viewer } = recommendation.caller;
  if (recommendation.model === "bought-together") return emptyResults();
  if (recommendation.model === "trending-items" || recommendation.model === "recommended-for-you")
    return engine.search(viewer, trendingQuery(recommendation));
  const [document] = await engine.get(viewer, parseIndexName(recommendation.question.name).index, [
    recommendation.objectID,
  ]);
  if (!document) return emptyResults();
  const words = [...document.title.split(/\s+/), ...document.tags].slice(0, TITLE_WORDS).join(" ");
  const query: Query = {
    ...recommendation.question.query,
    words: words.slice(0, 300),
    needed: "any",
    prefix: "none",
    typos: false,
    except: document.objectID,
  };
  return words === "" ? emptyResults() : engine.search(viewer, query);
}

function trendingQuery({ question: { query }, facet, value, now, model }: Recommendation): Query {
  const conditions: Filter[] = [{ number: "createdAt", is: ">=", to: now - TREND_PERIOD }];
  if (query.filter) conditions.push(query.filter);
  if (facet !== "" && value !== "") conditions.push({ facet, value });
  if (model === "recommended-for-you")
    return {
      ...query,
      filter: allFilters([...conditions, { own: "unread" }]),
      sort: { by: "updatedAt", descending: true },
    };
  return { ...query, filter: allFilters(conditions), sort: { by: "likes", descending: true } };
}

async function findTrendingFacets(engine: SearchEngine, recommendation: Recommendation) {
  const { facet, question, most, threshold } = recommendation;
  const { facets } = await engine.search(recommendation.caller.viewer, {
    ...trendingQuery(recommendation),
    facets: [facet],
    valuesPerFacet: most,
    length: 0,
  });
  const values: FacetValue[] = facets[facet] ?? [];
  const hits = values
    .map(({ value }, n) => ({ facetName: facet, facetValue: value, _score: rankScore(n, values.length) }))
    .filter(({ _score }) => _score >= threshold);
  return { ...formatResult(question, emptyResults(), 1), hits, nbHits: hits.length };
}
