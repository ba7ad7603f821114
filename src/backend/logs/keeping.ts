import { type Database, type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { DAY, later } from "#platform/clock";
import { Room } from "#platform/limits";
import { redactText } from "#platform/log";
import { isKept, type Kept, LEVELS, type Level } from "./levels.ts";
import { type Line, lineOf } from "./lines.ts";
import { wordsOf } from "./words.ts";

/** Log lines kept; beyond this the oldest tenth is deleted. */
const MOST = 100_000;
const ROOM_AGAIN = MOST * 0.9;

/** The source: loggers of API clients, this server, extensions, or automations. */
export type Kind = "logging" | "console" | "developer" | "automation";
/** A log line as stored and sent. */
export type Told = { logger: string; "log-level": Level; message: string; exception: string | null; timestamp: number };
/** Lines stored together. */
export type Batch = { kind: Kind; id: string; lines: Told[] };

export type Logs = Pick<Database, "db" | "world"> & { room: Room; listeners: Set<(batch: Batch) => void> };

/** Logs of API clients and of this server, kept for a while. */
export function openLogs({ db, world }: Pick<Database, "db" | "world">): Logs {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from log_lines`);
    return found!.n < MOST;
  });
  return { db, world, room, listeners: new Set() };
}

/** Listens to lines stored by this process. Returns a function that stops it. */
export function onKept({ listeners }: Logs, listener: (batch: Batch) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Stores lines of API clients that pass the thresholds, with secrets redacted. */
export const keepLines = (logs: Logs, lines: Line[], kept: Kept): Promise<void> =>
  keep(
    logs,
    "logging",
    lines.filter(({ logger, level }) => isKept(kept, logger, level)),
  );

/** Logs a line of this server, an extension or an automation. */
export const said = (
  logs: Logs,
  kind: Kind,
  line: { logger: string; level: Level; message: string; exception?: string | null },
): Promise<void> => keep(logs, kind, [lineOf(line)]);

async function keep(logs: Logs, kind: Kind, given: Line[]): Promise<void> {
  if (given.length === 0) return;
  const { db, world } = logs;
  const [id, now] = [world.newId(), world.now()];
  const lines = given.map((line, n) => rowOf(line, n, now));
  // As JSON, so that one statement inserts all lines.
  await run(
    db,
    sql`insert into log_lines (batch_id, n, kind, logger, level, message, exception, build, page, said_at, at, words)
        select ${id}::uuid, n, ${kind}, logger, level, message, exception, build, page, said_at, ${now}, array_to_tsvector(words)
        from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
          as it (n int, logger text, level smallint, message text, exception text, build text, page text, said_at timestamptz, words text[])`,
  );
  const batch = { kind, id, lines: lines.map(toldOf) };
  for (const listener of logs.listeners) listener(batch);
  if (!(await logs.room.left())) await makeRoom(db);
}

type Row = ReturnType<typeof rowOf>;
function rowOf({ level, message, exception, saidAt, ...line }: Line, n: number, now: Date) {
  const [said, broke] = [redactText(message), exception === null ? null : redactText(exception)];
  const words = wordsOf(said, broke, line.page);
  return { ...line, n, level: LEVELS[level], name: level, message: said, exception: broke, said_at: saidAt ?? now, words };
}

const toldOf = ({ logger, name, message, exception, said_at }: Row): Told => ({
  logger,
  "log-level": name,
  message,
  exception,
  timestamp: said_at.getTime(),
});

const makeRoom = (db: Db): Promise<number> =>
  run(
    db,
    sql`delete from log_lines where (batch_id, n) <= (
          select batch_id, n from log_lines order by batch_id desc, n desc offset ${ROOM_AGAIN} limit 1)`,
  );

/** Lines stored by another process, for listeners of this one. */
export async function batchOf({ db }: Logs, kind: Kind, id: string): Promise<Batch> {
  const lines = await many(
    db,
    sql<Told>`select logger, ${levelName} as "log-level", message, exception, (extract(epoch from said_at) * 1000)::float8 as timestamp
        from log_lines where batch_id = ${id} order by n`,
  );
  return { kind, id, lines };
}

/** SQL: the name of a level. */
export const levelName = sql<Level>`(array['FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'])[level]`;

/** Deletes lines older than `days`. */
export const purgeLogs = async (tx: Tx, days: number): Promise<void> =>
  void (await run(tx, sql`delete from log_lines where at < ${later(tx.now, -days * DAY)}`));
