import { type Database, type Db, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { DAY, later } from "#platform/clock";
import { Room } from "#platform/limits";
import { redactText } from "#platform/log";
import { isKept, type Kept, LEVELS, type Level } from "./levels.ts";
import { type Line, lineOf } from "./lines.ts";
import { wordsOf } from "./words.ts";

/** Lines that are kept; when there are more, the oldest go, a tenth at a time. */
const MOST = 100_000;
const ROOM_AGAIN = MOST * 0.9;

/** Who says it: programs by their loggers, this house, the code of an operator, automations. */
export type Kind = "logging" | "console" | "developer" | "automation";
/** A line as it is kept and told. */
export type Told = { logger: string; "log-level": Level; message: string; exception: string | null; timestamp: number };
/** Lines that were just kept, together. */
export type Batch = { kind: Kind; id: string; lines: Told[] };

export type Logs = Pick<Database, "db" | "world"> & { room: Room; listeners: Set<(batch: Batch) => void> };

/** What programs and the parts of this house have to say, kept for a while. */
export function openLogs({ db, world }: Pick<Database, "db" | "world">): Logs {
  const room = new Room(async () => {
    const found = await maybeOne(db, sql<{ n: number }>`select count(*)::int as n from log_lines`);
    return found!.n < MOST;
  });
  return { db, world, room, listeners: new Set() };
}

/** Calls back with what is kept from now on, in this process. Returns the way to stop. */
export function onKept({ listeners }: Logs, listener: (batch: Batch) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Keeps lines of programs, those that `kept` lets through, without what looks like a secret. */
export const keepLines = (logs: Logs, lines: Line[], kept: Kept): Promise<void> =>
  keep(
    logs,
    "logging",
    lines.filter(({ logger, level }) => isKept(kept, logger, level)),
  );

/** Something that a part of this house, an operator's code or an automation says to whoever looks after it. */
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
  // Lines as JSON, so that one statement takes them all.
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

/** What another process has kept, for those who listen here. */
export async function batchOf({ db }: Logs, kind: Kind, id: string): Promise<Batch> {
  const lines = await many(
    db,
    sql<Told>`select logger, ${levelName} as "log-level", message, exception, (extract(epoch from said_at) * 1000)::float8 as timestamp
        from log_lines where batch_id = ${id} order by n`,
  );
  return { kind, id, lines };
}

/** Within a statement: the name of a line's level. */
export const levelName = sql<Level>`(array['FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'])[level]`;

/** Takes away what is older than so many days. */
export const purgeLogs = async (tx: Tx, days: number): Promise<void> =>
  void (await run(tx, sql`delete from log_lines where at < ${later(tx.now, -days * DAY)}`));
