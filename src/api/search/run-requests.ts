import { FACETS, type SearchEngine } from "#community/search";
import { isObject, isOneOf } from "#platform/objects";
import { formatFacetResult, emptyResults, formatResult } from "./search-answers.ts";
import { assertIndexAllowed, type Caller } from "./search-caller.ts";
import { SearchApiError } from "./search-api-error.ts";
import { MAX_REACHABLE_HITS } from "./index-names.ts";
import { type SearchRequest, readSearchRequest } from "./search-requests.ts";

type SearchBody = Record<string, unknown>;

/** Maximum requests per call. */
const MAX_REQUESTS = 50;
/** Maximum hits that all requests of a call may ask for together. */
const MAX_TOTAL_HITS = 2_000;
/** Maximum requests of one call that run at the same time. */
const CONCURRENCY = 4;

const elapsedMs = (since: number) => Math.max(1, Math.round(performance.now() - since));

/** Runs a request for hits and formats its answer. */
export async function runSearchRequest(engine: SearchEngine, caller: Caller, question: SearchRequest) {
  const began = performance.now();
  const { query, from, nowhere } = question;
  const results =
    nowhere || from >= MAX_REACHABLE_HITS ? emptyResults() : await engine.search(caller.viewer, query);
  return formatResult(question, results, elapsedMs(began));
}

/**
 * Runs a request for facet values and formats its answer.
 * @throws 400 for an attribute that is not a facet
 */
async function answerFacetSearch(
  engine: SearchEngine,
  caller: Caller,
  facet: string,
  question: SearchRequest,
) {
  const began = performance.now();
  const { params, query, nowhere } = question;
  if (!isOneOf(FACETS, facet))
    throw new SearchApiError(
      400,
      `Cannot search in \`${facet.slice(0, 60)}\` attribute, you need to specify ` +
        `\`searchable(${facet.slice(0, 60)})\` in attributesForFaceting`,
    );
  const found = nowhere
    ? { values: [], exhaustive: true }
    : await engine.facet(caller.viewer, {
        facet,
        begins: params.facetQuery,
        most: params.maxFacetHits,
        of: { ...query, facets: [] },
      });
  return formatFacetResult(found, params, elapsedMs(began));
}

/** A validated request that has not run yet. */
export type PreparedRequest = { question: SearchRequest; run: () => Promise<object> };

export function prepareRequest(
  engine: SearchEngine,
  caller: Caller,
  name: string,
  request: SearchBody,
  facet: string | null,
): PreparedRequest {
  assertIndexAllowed(caller, name);
  const question = readSearchRequest(caller, name, request);
  return {
    question,
    run: () =>
      facet === null
        ? runSearchRequest(engine, caller, question)
        : answerFacetSearch(engine, caller, facet, question),
  };
}

/**
 * Reads the requests of a multi-request call.
 * @throws 400 for anything but a list, and for too many requests
 */
export function readRequests(body: SearchBody, most = MAX_REQUESTS): SearchBody[] {
  const { requests } = body;
  if (!Array.isArray(requests)) throw new SearchApiError(400, "requests: must be a list");
  if (requests.length > most)
    throw new SearchApiError(400, `Too many queries in multi query request, at most ${most}`);
  return requests.map((it: unknown) => {
    if (!isObject(it)) throw new SearchApiError(400, "requests: must be a list of objects");
    return it;
  });
}

/** Reads a required text member of a request. */
export function readRequiredText(request: SearchBody, name: string): string {
  const value = request[name];
  if (typeof value !== "string" || value === "") throw new SearchApiError(400, `${name}: must be a string`);
  return value;
}

export const readFacet = (request: SearchBody): string | null =>
  request["type"] === "facet" ? readRequiredText(request, "facet") : null;

/**
 * Runs requests and returns their answers in order. With `stopIfEnoughMatches`, requests after the first one
 * with a full page are skipped.
 */
export async function runPreparedRequests(requests: PreparedRequest[], strategy: unknown): Promise<object[]> {
  const hits = requests.reduce((sum, { question }) => sum + question.most, 0);
  if (hits > MAX_TOTAL_HITS)
    throw new SearchApiError(
      400,
      `hitsPerPage: the requests of one call can ask for at most ${MAX_TOTAL_HITS} hits in total`,
    );
  return strategy === "stopIfEnoughMatches"
    ? answerUntilEnough(requests)
    : runConcurrently(requests.map(({ run }) => run));
}

async function answerUntilEnough(requests: PreparedRequest[]): Promise<object[]> {
  const answers: object[] = [];
  let enough = false;
  for (const { question, run } of requests) {
    const answer: object = enough
      ? formatResult(question, emptyResults(), 0, { processed: false })
      : await run();
    answers.push(answer);
    enough ||= "nbHits" in answer && Number(answer.nbHits) >= question.most;
  }
  return answers;
}

/** Runs a few requests at a time, so that one call does not take every database connection. */
export async function runConcurrently<T>(works: (() => Promise<T>)[]): Promise<T[]> {
  const answers: T[] = [];
  for (let at = 0; at < works.length; at += CONCURRENCY)
    answers.push(...(await Promise.all(works.slice(at, at + CONCURRENCY).map((work) => work()))));
  return answers;
}
