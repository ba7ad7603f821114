import { LEVELS, type Level, listLoggers, listLogLines } from "#baas/logging";
import type { Viewer } from "#community/rules";
import { DAY, addMilliseconds } from "#platform/clock";
import { isKeyOf } from "#platform/objects";
import { readQueryParam } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { assertAdmin } from "../admin-access.ts";

/** Log records for the filters in the URL. Days are in UTC, like the times on the page. */
export async function getLogsPage({ logs }: Pick<WebContext, "logs">, viewer: Viewer, url: URL) {
  assertAdmin(viewer);
  const search = readQueryParam(url, "search");
  const logger = readQueryParam(url, "logger");
  const [level, from, until] = [
    parseLevel(readQueryParam(url, "level", 5)),
    parseDay(readQueryParam(url, "from", 10)),
    parseDay(readQueryParam(url, "until", 10)),
  ];
  const { lines, next } = await listLogLines(logs, {
    words: search,
    logger,
    level,
    from,
    until: until && addMilliseconds(until, DAY),
    after: readQueryParam(url, "after", 60),
  });
  return {
    lines,
    next,
    loggers: await listLoggers(logs),
    filters: { search, logger, level: level ?? "", from: formatDay(from), until: formatDay(until) },
  };
}

export type LogsPage = Awaited<ReturnType<typeof getLogsPage>>;

const parseLevel = (text: string): Level | undefined => (isKeyOf(LEVELS, text) ? text : undefined);

function parseDay(text: string): Date | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day && !Number.isNaN(day.getTime()) ? day : undefined;
}
const formatDay = (day: Date | undefined) => day?.toISOString().slice(0, 10) ?? "";
