import { type Database, type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { DAY, addMilliseconds } from "#platform/clock";
import { CachedQuota } from "#platform/limits";
import { redactText } from "#platform/log";
import { isLogged, type LogThresholds, LEVELS, type Level } from "./log-levels.ts";
import { type LogLine, createLogLine } from "./log-lines.ts";
import { extractSearchWords } from "./log-search.ts";

/** Maximum log lines stored. Beyond it the oldest tenth is deleted. */
const MAX_LINES = 100_000;
const LINES_AFTER_PURGE = MAX_LINES * 0.9;

/** Source of log lines: loggers of API clients, this server, extensions, or automations. */
export type LogKind = "logging" | "console" | "developer" | "automation";
/** A log line as it is stored and delivered. */
export type StoredLogLine = {
  logger: string;
  "log-level": Level;
  message: string;
  exception: string | null;
  timestamp: number;
};
/** Lines that were stored together. */
export type LogBatch = { kind: LogKind; id: string; lines: StoredLogLine[] };

export type Logs = Pick<Database, "db" | "runtime"> & {
  quota: CachedQuota;
  listeners: Set<(batch: LogBatch) => void>;
};

/** Creates the store for logs of API clients and of this server. Lines are stored for a limited time. */
export function createLogStore({ db, runtime }: Pick<Database, "db" | "runtime">): Logs {
  const quota = new CachedQuota(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from log_entries`);
    return found!.n < MAX_LINES;
  });
  return { db, runtime, quota, listeners: new Set() };
}

/** Listens to lines stored by this process. Returns the unsubscribe function. */
export function listenToLogs({ listeners }: Logs, listener: (batch: LogBatch) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Stores lines of API clients that pass the thresholds, with secrets redacted. */
export const storeClientLines = (logs: Logs, lines: LogLine[], logThresholds: LogThresholds): Promise<void> =>
  storeLines(
    logs,
    "logging",
    lines.filter(({ logger, level }) => isLogged(logThresholds, logger, level)),
  );

/** Logs a line of this server, an extension or an automation. */
export const writeLogLine = (
  logs: Logs,
  kind: LogKind,
  line: { logger: string; level: Level; message: string; exception?: string | null },
): Promise<void> => storeLines(logs, kind, [createLogLine(line)]);

async function storeLines(logs: Logs, kind: LogKind, given: LogLine[]): Promise<void> {
  if (given.length === 0) return;
  const { db, runtime } = logs;
  const [id, now] = [runtime.newId(), runtime.now()];
  const lines = given.map((line, n) => createLogRow(line, n, now));
  // The lines are passed as JSON, so that one statement inserts all of them.
  await run(
    db,
    sql`insert into log_entries (batch_id, n, kind, logger, level, message, exception, build, page,
      written_at, at, words)
        select ${id}::uuid, n, ${kind}, logger, level, message, exception, build, page, written_at, ${now},
          array_to_tsvector(words)
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
          as it (n int, logger text, level smallint, message text, exception text, build text, page text,
            written_at timestamptz, words text[])`,
  );
  const batch = { kind, id, lines: lines.map(toStoredLine) };
  for (const listener of logs.listeners) listener(batch);
  if (!(await logs.quota.left())) await removeOldestLines(db);
}

type LogRow = ReturnType<typeof createLogRow>;
function createLogRow({ level, message, exception, saidAt, ...line }: LogLine, n: number, now: Date) {
  const [redactedMessage, redactedException] = [
    redactText(message),
    exception === null ? null : redactText(exception),
  ];
  const words = extractSearchWords(redactedMessage, redactedException, line.page);
  return {
    ...line,
    n,
    level: LEVELS[level],
    name: level,
    message: redactedMessage,
    exception: redactedException,
    written_at: saidAt ?? now,
    words,
  };
}

const toStoredLine = ({ logger, name, message, exception, written_at }: LogRow): StoredLogLine => ({
  logger,
  "log-level": name,
  message,
  exception,
  timestamp: written_at.getTime(),
});

const removeOldestLines = (db: Db): Promise<number> =>
  run(
    db,
    sql`delete from log_entries where (batch_id, n) <= (
          select batch_id, n from log_entries order by batch_id desc, n desc offset ${LINES_AFTER_PURGE}
          limit 1)`,
  );

/** Loads lines stored by another process, for listeners of this one. */
export async function getLogBatch({ db }: Logs, kind: LogKind, id: string): Promise<LogBatch> {
  const lines = await many(
    db,
    sql<StoredLogLine>`select logger, ${levelNameSql} as "log-level", message, exception,
      (extract(epoch from written_at) * 1000)::float8 as timestamp
        from log_entries where batch_id = ${id} order by n`,
  );
  return { kind, id, lines };
}

/** SQL for the name of a level. */
export const levelNameSql = sql<Level>`(array['FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'])[level]`;

/** Deletes lines older than `days`. */
export const purgeLogs = async (tx: Tx, days: number): Promise<void> =>
  void (await run(tx, sql`delete from log_entries where at < ${addMilliseconds(tx.now, -days * DAY)}`));
