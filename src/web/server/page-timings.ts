import type { QueryTimings } from "#platform/database";
import type { Log } from "#platform/log";
import { accountRules } from "#community/rules";
import type { RequestContext } from "../request-context.ts";

/** Milliseconds above which a page or its data is logged as slow. */
const SLOW_PAGE = 1_000;
/** Maximum characters of a query in the log. */
const MAX_QUERY_LENGTH = 400;

type PageTimings = { milliseconds: number; queries: QueryTimings };

/**
 * Formats the `Server-Timing` of a page: queries, rendering and total until compression. Only sent to admins
 * and in development, since times can reveal what exists.
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

/** Replaces ids and secrets in an address by `…`. */
const toRoute = (url: string) =>
  url.split("?", 1)[0]!.replace(/(?<=\/)([\da-f]{8}-[\da-f-]{27}|[\w%-]{40,})(?=[/.]|$)/gi, "…");

/** Logs a slow page with its route and its slowest query, without the values of the query. */
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
