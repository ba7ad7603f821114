import { limit, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { type LogKind, levelNameSql, type Logs } from "./log-storage.ts";
import { LEVELS, type Level } from "./log-levels.ts";
import type { LogLine } from "./log-lines.ts";
import { toTsquery } from "./log-search.ts";

const PAGE_SIZE = 50;
const MAX_LOGGERS = 200;

/** Filter by logger, minimum level, time and words. */
export type LogFilter = {
  logger?: string | undefined;
  level?: Level | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  words?: string | undefined;
  /** Cursor from the previous page. */
  after?: string | undefined;
};

export type LogLineRow = LogLine & {
  /** Cursor of this line; the pages after it have older lines. */
  at: string;
  kind: LogKind;
  saidAt: Date;
};

/** Lists matching lines, newest first, with the next cursor; null at the end. */
export async function listLogLines(
  { db }: Logs,
  logFilter: LogFilter,
): Promise<{ lines: LogLineRow[]; next: string | null }> {
  const question = toTsquery(logFilter.words ?? "");
  const [batch, n] = parseCursor(logFilter.after);
  const rows = await many(
    db,
    sql<LogLineRow>`
      select batch_id || '.' || n as at, kind, logger, ${levelNameSql} as level, message, exception, build,
        page, written_at as "saidAt"
      from log_entries
      where ${logFilter.logger ? sql`logger = ${logFilter.logger}` : sql`true`}
        and ${logFilter.level ? sql`level <= ${LEVELS[logFilter.level]}` : sql`true`}
        and ${logFilter.from ? sql`at >= ${logFilter.from}` : sql`true`}
        and ${logFilter.until ? sql`at < ${logFilter.until}` : sql`true`}
        and ${question ? sql`words @@ ${question}::tsquery` : sql`true`}
        and ${batch ? sql`(batch_id, n) < (${batch}::uuid, ${n}::int)` : sql`true`}
      order by batch_id desc, n desc ${limit(PAGE_SIZE + 1)}`,
  );
  const lines = rows.slice(0, PAGE_SIZE);
  return { lines, next: rows.length > PAGE_SIZE ? lines.at(-1)!.at : null };
}

/** Parses a cursor. Anyone can edit it in the URL, so an invalid one means the first page. */
function parseCursor(after: string | undefined): [string | null, number] {
  const [batch = "", n = ""] = (after ?? "").split(".");
  return isId(batch) && /^\d{1,4}$/.test(n) ? [batch, Number(n)] : [null, 0];
}

/**
 * Lists the names of loggers that have lines, in order. The query skips from one name to the next, so its
 * duration does not depend on the number of lines.
 */
export async function listLoggers({ db }: Logs): Promise<string[]> {
  const rows = await many(
    db,
    sql<{ logger: string }>`
      with recursive names as (
        (select logger, 1 as n from log_entries order by logger limit 1)
        union all
        select (select l.logger from log_entries l where l.logger > names.logger order by l.logger limit 1),
          n + 1
        from names where names.logger is not null and n < ${MAX_LOGGERS})
      select logger from names where logger is not null`,
  );
  return rows.map(({ logger }) => logger);
}
