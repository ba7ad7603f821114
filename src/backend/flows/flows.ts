import type { Channels } from "#backend/channels";
import type { Logs } from "#backend/logs";
import type { Tables } from "#backend/tables";
import type { Database, Tx } from "#platform/database";
import type { Log } from "#platform/log";
import type { HeardNouns } from "./nouns.ts";
import { Watched } from "./watched.ts";

/**
 * The identity a step runs as: the person who started the run, or the server; with the run id as the cause of
 * its effects.
 */
export type By = { personId: string | null; server: boolean; cause: string };
export type RecordAct =
  | { act: "create"; table: string; objectId: string; values: Record<string, unknown>; again: boolean }
  | { act: "update"; table: string; objectId: string; values: Record<string, unknown> }
  | { act: "delete"; table: string; objectId: string }
  | { act: "find"; table: string; where: string | null };
export type Letter = { to: string; subject: string; text: string; name: string };

/** Host functions for steps, each with the rights and limits of its identity. */
export type Hands = {
  call: (by: By, call: { service: string; method: string; input: unknown }) => Promise<unknown>;
  publish: (by: By, said: { channel: string; message: unknown; headers: Record<string, unknown> }) => Promise<unknown>;
  record: (by: By, act: RecordAct) => Promise<unknown>;
  /**
   * Queues an email within the transaction; the same name twice is one email. Null if automations cannot send
   * email here.
   */
  mail: ((tx: Tx, by: By, letter: Letter) => Promise<void>) | null;
};

export type Flows = Pick<Database, "db" | "world" | "inTransaction"> & {
  tables: Tables;
  nouns: HeardNouns;
  channels: Channels;
  logs: Logs;
  log: Log;
  /** Triggers of enabled automations, cached until one changes. */
  watched: Watched;
  /** Called for each moment at which something will be due. */
  planners: Set<(due: Date) => void>;
};

type Given = Pick<Flows, "tables" | "nouns" | "channels" | "logs" | "log"> & { database: Database };

/** Automations of triggers and steps, and their runs. */
export const openFlows = ({ database: { db, world, inTransaction }, ...given }: Given): Flows => ({
  db,
  world,
  inTransaction,
  ...given,
  watched: new Watched(db),
  planners: new Set(),
});
