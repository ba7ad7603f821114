import type { Channels } from "#backend/channels";
import type { Logs } from "#backend/logs";
import type { Tables } from "#backend/tables";
import type { Database, Tx } from "#platform/database";
import type { Log } from "#platform/log";
import type { HeardNouns } from "./nouns.ts";
import { Watched } from "./watched.ts";

/** For whom a step is done: who asked for the run, or the house; and the run itself, by which what it causes is known as its doing. */
export type By = { personId: string | null; server: boolean; cause: string };
export type RecordAct =
  | { act: "create"; table: string; objectId: string; values: Record<string, unknown>; again: boolean }
  | { act: "update"; table: string; objectId: string; values: Record<string, unknown> }
  | { act: "delete"; table: string; objectId: string }
  | { act: "find"; table: string; where: string | null };
export type Letter = { to: string; subject: string; text: string; name: string };

/** What the steps of flows do in the house, with the rights and bounds of whoever they are done for. */
export type Hands = {
  call: (by: By, call: { service: string; method: string; input: unknown }) => Promise<unknown>;
  publish: (by: By, said: { channel: string; message: unknown; headers: Record<string, unknown> }) => Promise<unknown>;
  record: (by: By, act: RecordAct) => Promise<unknown>;
  /** Takes a mail in, within the transaction; the same name twice is one mail. Null where this house sends none for flows. */
  mail: ((tx: Tx, by: By, letter: Letter) => Promise<void>) | null;
};

export type Flows = Pick<Database, "db" | "world" | "inTransaction"> & {
  tables: Tables;
  nouns: HeardNouns;
  channels: Channels;
  logs: Logs;
  log: Log;
  /** What flows that are switched on listen to, kept until one changes. */
  watched: Watched;
  /** Told of each moment at which something is due. */
  planners: Set<(due: Date) => void>;
};

type Given = Pick<Flows, "tables" | "nouns" | "channels" | "logs" | "log"> & { database: Database };

/** What is done by itself: flows, each of triggers and steps, and their runs. */
export const openFlows = ({ database: { db, world, inTransaction }, ...given }: Given): Flows => ({
  db,
  world,
  inTransaction,
  ...given,
  watched: new Watched(db),
  planners: new Set(),
});
