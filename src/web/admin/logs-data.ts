import { LEVELS, type Level, loggers, readLines } from "#backend/logs";
import type { Viewer } from "#community/rules";
import { DAY, later } from "#platform/clock";
import { asked } from "../forms.ts";
import type { House } from "../house.ts";
import { assertAdmin } from "./only-admins.ts";

/** Log records for the filters in the URL. Days are in UTC, as the times on the page are. */
export async function logsPage({ logs }: Pick<House, "logs">, viewer: Viewer, url: URL) {
  assertAdmin(viewer);
  const search = asked(url, "search");
  const logger = asked(url, "logger");
  const [level, from, until] = [levelIn(asked(url, "level", 5)), dayIn(asked(url, "from", 10)), dayIn(asked(url, "until", 10))];
  const { lines, next } = await readLines(logs, {
    words: search,
    logger,
    level,
    from,
    until: until && later(until, DAY),
    after: asked(url, "after", 60),
  });
  return {
    lines,
    next,
    loggers: await loggers(logs),
    asked: { search, logger, level: level ?? "", from: textOf(from), until: textOf(until) },
  };
}

export type LogsPage = Awaited<ReturnType<typeof logsPage>>;

const levelIn = (text: string): Level | undefined => (Object.hasOwn(LEVELS, text) ? (text as Level) : undefined);

function dayIn(text: string): Date | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return day && !Number.isNaN(day.getTime()) ? day : undefined;
}
const textOf = (day: Date | undefined) => day?.toISOString().slice(0, 10) ?? "";
