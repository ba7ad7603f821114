import type { QueryTimings } from "#platform/database";
import type { Log } from "#platform/log";
import { accountRules } from "#community/rules";
import type { RequestContext } from "../request-context.ts";

/** Milliseconds from which a page or its data is logged as slow. */
const SLOW_PAGE = 1_000;
/** Characters of a query in the log. */
const MAX_QUERY_LENGTH = 400;

type PageTimings = { milliseconds: number; queries: QueryTimings };

/**
 * `Server-Timing` of a page: its queries, rendering and the whole until it is compressed. Shown to admins and in
 * development only, since times tell what exists.
 */
export function serverTiming(
  { viewer, renderTime }: Pick<RequestContext, "viewer" | "renderTime">,
  { milliseconds, queries }: PageTimings,
  production: boolean,
): string | null {
  if (production && !accountRules.run(viewer)) return null;
  const entries = [
    `db;dur=${queries.milliseconds.toFixed(1)};desc="${queries.count} queries"`,
    `render;dur=${renderTime.toFixed(1)}`,
    `total;dur=${milliseconds.toFixed(1)}`,
  ];
  return entries.join(", ");
}

/** An address with `…` in place of ids and secrets. */
const toRoute = (url: string) =>
  url.split("?", 1)[0]!.replace(/(?<=\/)([\da-f]{8}-[\da-f-]{27}|[\w%-]{40,})(?=[/.]|$)/gi, "…");

/** Logs a slow page with its route and its slowest query, whose values are not part of the text. */
export function logSlowPage(log: Log, url: string, { milliseconds, queries }: PageTimings): void {
  if (milliseconds < SLOW_PAGE) return;
  const { count, slowest } = queries;
  log.warn(
    {
      route: toRoute(url),
      ms: Math.round(milliseconds),
      queries: count,
      databaseMs: Math.round(queries.milliseconds),
      ...(slowest && {
        slowestMs: Math.round(slowest.milliseconds),
        slowest: slowest.sql.replace(/\s+/g, " ").trim().slice(0, MAX_QUERY_LENGTH),
      }),
    },
    "a slow page",
  );
}
