import { z } from "zod";
import type { SearchEngine } from "#community/search";
import { Refusal } from "#platform/refusal";
import { resultOf } from "./answers.ts";
import { assertOpens, type Caller } from "./caller.ts";
import { Fault } from "./fault.ts";
import { both } from "./filters.ts";
import { REACHABLE } from "./indices.ts";
import { questionOf } from "./questions.ts";

/** Where the next page begins: at what was made at this second, after so many of them. */
const Cursor = z.object({ to: z.number().int(), after: z.number().int().min(0) });
const DEFAULT = 1_000;

/**
 * One page of everything that a question finds, the latest first, and where the next one begins; without an end to the pages. Throws 400 for
 * a cursor that is none of ours, `unavailable` for a page that took too long to find.
 */
export async function browse(engine: SearchEngine, caller: Caller, name: string, body: Record<string, unknown>) {
  assertOpens(caller, name);
  const began = performance.now();
  const at = typeof body["cursor"] === "string" ? cursorIn(body["cursor"]) : null;
  const question = questionOf(caller, name, { hitsPerPage: DEFAULT, ...body, page: 0 });
  const { query, most } = question;
  if (query.index === "all") throw new Fault(400, "all: is browsed index by index");
  const offset = at?.after ?? 0;
  const length = Math.min(most, REACHABLE - offset);
  const since = at && { number: "createdAt", is: "<=" as const, to: at.to };
  const filter = since ? both([since, ...(query.filter ? [query.filter] : [])]) : query.filter;
  const results = await engine.search(caller.viewer, { ...query, filter, offset, length, sort: { by: "createdAt", descending: true } });
  // Nothing came, and that is not all there is: it took too long. As the last page it would pass for the end.
  if (results.hits.length === 0 && length > 0 && !results.exhaustive.total)
    throw new Refusal("unavailable", "This page took too long to find. Please ask for it again, or for a smaller one.", { retryAfter: 1 });
  const last = results.hits.at(-1)?.document.createdAt;
  const same = results.hits.filter(({ document }) => document.createdAt === last).length;
  // A page can have fewer than were found: what went from it meanwhile is not shown, and not counted.
  const isLast = results.exhaustive.total && results.total <= offset + results.hits.length;
  const next = last === undefined || isLast ? null : { to: last, after: same + (last === at?.to ? offset : 0) };
  const answer = resultOf(question, results, Math.max(1, Math.round(performance.now() - began)));
  return { ...answer, ...(next && next.after < REACHABLE && { cursor: Buffer.from(JSON.stringify(next)).toString("base64url") }) };
}

function cursorIn(text: string): z.output<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    throw new Fault(400, "cursor: is none of this index");
  }
}
