import { z } from "zod";
import { indicesInScope, type SearchEngine } from "#community/search";
import { Refusal } from "#platform/refusal";
import { formatResult } from "./search-answers.ts";
import { assertIndexAllowed, type Caller } from "./search-caller.ts";
import { SearchApiError } from "./search-api-error.ts";
import { allFilters } from "./filters/filter-parser.ts";
import { MAX_REACHABLE_HITS } from "./index-names.ts";
import { readSearchRequest } from "./search-requests.ts";

/** Start of the next page: a time in seconds, and how many documents of that second to skip. */
const Cursor = z.object({ to: z.number().int(), after: z.number().int().min(0) });
const DEFAULT_PAGE = 1_000;

/**
 * Returns one page of all matches, latest first, with a cursor for the next page. Any number of pages can be
 * read.
 * @throws 400 for an invalid cursor or several indices, `unavailable` after a timeout
 */
export async function browseIndex(
  engine: SearchEngine,
  caller: Caller,
  name: string,
  body: Record<string, unknown>,
) {
  assertIndexAllowed(caller, name);
  const began = performance.now();
  const at = typeof body["cursor"] === "string" ? readCursor(body["cursor"]) : null;
  const question = readSearchRequest(caller, name, { hitsPerPage: DEFAULT_PAGE, ...body, page: 0 });
  const { query, most } = question;
  if (indicesInScope(query.index).length > 1)
    throw new SearchApiError(400, `${name}: can be browsed one index at a time only`);
  const offset = at?.after ?? 0;
  const length = Math.min(most, MAX_REACHABLE_HITS - offset);
  const since = at && { number: "createdAt", is: "<=" as const, to: at.to };
  const filter = since ? allFilters([since, ...(query.filter ? [query.filter] : [])]) : query.filter;
  const results = await engine.search(caller.viewer, {
    ...query,
    filter,
    offset,
    length,
    sort: { by: "createdAt", descending: true },
  });
  // An empty result that is not exhaustive means a timeout; clients would take it for the last page.
  if (results.hits.length === 0 && length > 0 && !results.exhaustive.total)
    throw new Refusal(
      "unavailable",
      "Finding this page took too long. Try again, or request a smaller page.",
      { retryAfter: 1 },
    );
  const last = results.hits.at(-1)?.document.createdAt;
  const same = results.hits.filter(({ document }) => document.createdAt === last).length;
  // A page may have fewer hits than requested: documents that have become invisible in the meantime are
  // neither returned nor counted.
  const isLast = results.exhaustive.total && results.total <= offset + results.hits.length;
  const next =
    last === undefined || isLast ? null : { to: last, after: same + (last === at?.to ? offset : 0) };
  const answer = formatResult(question, results, Math.max(1, Math.round(performance.now() - began)));
  return {
    ...answer,
    ...(next &&
      next.after < MAX_REACHABLE_HITS && { cursor: Buffer.from(JSON.stringify(next)).toString("base64url") }),
  };
}

function readCursor(text: string): z.output<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    throw new SearchApiError(400, "cursor: does not belong to this index");
  }
}
