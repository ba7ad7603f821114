import { FACETS, type SearchEngine } from "#community/search";
import { facetResult, nothing, resultOf } from "./answers.ts";
import { assertOpens, type Caller } from "./caller.ts";
import { Fault } from "./fault.ts";
import { REACHABLE } from "./indices.ts";
import { type Question, questionOf } from "./questions.ts";

type Asked = Record<string, unknown>;

/** Maximum requests per call, and hits they may ask for together. */
const MOST_REQUESTS = 50;
const MOST_HITS = 2_000;
/** Requests of one call that run concurrently. */
const BESIDE = 4;

const elapsed = (since: number) => Math.max(1, Math.round(performance.now() - since));

/** Answers a request for hits. */
export async function search(engine: SearchEngine, caller: Caller, question: Question, extra?: object) {
  const began = performance.now();
  const { query, from, nowhere } = question;
  const results = nowhere || from >= REACHABLE ? nothing() : await engine.search(caller.viewer, query);
  return resultOf(question, results, elapsed(began), extra);
}

/**
 * Answers a request for facet values.
 * @throws 400 for an attribute that is no facet
 */
async function searchFacet(engine: SearchEngine, caller: Caller, facet: string, question: Question) {
  const began = performance.now();
  const { params, query, nowhere } = question;
  if (!FACETS.includes(facet as "tags"))
    throw new Fault(
      400,
      `Cannot search in \`${facet.slice(0, 60)}\` attribute, you need to specify \`searchable(${facet.slice(0, 60)})\` in attributesForFaceting`,
    );
  const found = nowhere
    ? { values: [], exhaustive: true }
    : await engine.facet(caller.viewer, { facet, begins: params.facetQuery, most: params.maxFacetHits, of: { ...query, facets: [] } });
  return facetResult(found, params, elapsed(began));
}

/** A validated request that has not run yet. */
export type Ready = { question: Question; run: () => Promise<object> };

export function ready(engine: SearchEngine, caller: Caller, name: string, request: Asked, facet: string | null): Ready {
  assertOpens(caller, name);
  const question = questionOf(caller, name, request);
  return { question, run: () => (facet === null ? search(engine, caller, question) : searchFacet(engine, caller, facet, question)) };
}

/**
 * The requests of a multi-request call.
 * @throws 400 for anything but a list, and for too many
 */
export function requestsIn(body: Asked, most = MOST_REQUESTS): Asked[] {
  const { requests } = body;
  if (!Array.isArray(requests)) throw new Fault(400, "requests: must be a list");
  if (requests.length > most) throw new Fault(400, `Too many queries in multi query request, at most ${most}`);
  return requests.map((it: unknown) => {
    if (typeof it !== "object" || it === null || Array.isArray(it)) throw new Fault(400, "requests: must be a list of objects");
    return it as Asked;
  });
}

/** A required text member of a request. */
export function textIn(request: Asked, name: string): string {
  const value = request[name];
  if (typeof value !== "string" || value === "") throw new Fault(400, `${name}: must be a string`);
  return value;
}

export const facetIn = (request: Asked): string | null => (request["type"] === "facet" ? textIn(request, "facet") : null);

/**
 * Answers in the order of the requests. With `stopIfEnoughMatches`, those after the first full page are
 * skipped.
 */
export async function answerAll(requests: Ready[], strategy: unknown): Promise<object[]> {
  const hits = requests.reduce((sum, { question }) => sum + question.most, 0);
  if (hits > MOST_HITS) throw new Fault(400, `hitsPerPage: the requests of one call can ask for ${MOST_HITS} hits together`);
  return strategy === "stopIfEnoughMatches" ? untilEnough(requests) : inLanes(requests.map(({ run }) => run));
}

async function untilEnough(requests: Ready[]): Promise<object[]> {
  const answers: object[] = [];
  let enough = false;
  for (const { question, run } of requests) {
    const answer: object = enough ? resultOf(question, nothing(), 0, { processed: false }) : await run();
    answers.push(answer);
    enough ||= "nbHits" in answer && (answer.nbHits as number) >= question.most;
  }
  return answers;
}

/** Runs a few at a time, so that one call does not take every database connection. */
export async function inLanes<T>(works: (() => Promise<T>)[]): Promise<T[]> {
  const answers: T[] = [];
  for (let at = 0; at < works.length; at += BESIDE)
    answers.push(...(await Promise.all(works.slice(at, at + BESIDE).map((work) => work()))));
  return answers;
}
