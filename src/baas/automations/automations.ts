import type { Messaging } from "#baas/messaging";
import type { Logs } from "#baas/logging";
import type { DataTables } from "#baas/data";
import type { Database, Tx } from "#platform/database";
import type { Log } from "#platform/log";
import type { EntityTriggers } from "./entity-triggers.ts";
import { TriggerRegistry } from "./trigger-registry.ts";

/**
 * The identity that a step runs as: the person who started the run, or the server. The run id is recorded as
 * the cause of everything the step does.
 */
export type RunIdentity = { personId: string | null; server: boolean; cause: string };
export type RecordAction =
  | { act: "create"; table: string; objectId: string; values: Record<string, unknown>; again: boolean }
  | { act: "update"; table: string; objectId: string; values: Record<string, unknown> }
  | { act: "delete"; table: string; objectId: string }
  | { act: "find"; table: string; where: string | null };
export type AutomationMail = { to: string; subject: string; text: string; name: string };

/** Functions that the host offers to steps. Each function has the rights and limits of the given identity. */
export type AutomationFunctions = {
  call: (by: RunIdentity, call: { service: string; method: string; input: unknown }) => Promise<unknown>;
  publish: (
    by: RunIdentity,
    publication: { channel: string; message: unknown; headers: Record<string, unknown> },
  ) => Promise<unknown>;
  record: (by: RunIdentity, act: RecordAction) => Promise<unknown>;
  /**
   * Queues an email within the transaction; an email of the same name is queued only once. Null if
   * automations cannot send email on this site.
   */
  mail: ((tx: Tx, by: RunIdentity, letter: AutomationMail) => Promise<void>) | null;
};

export type Automations = Pick<Database, "db" | "runtime" | "inTransaction"> & {
  tables: DataTables;
  entities: EntityTriggers;
  channels: Messaging;
  logs: Logs;
  log: Log;
  /** Cached triggers of enabled automations. */
  watched: TriggerRegistry;
  /** Called with each time at which a run or schedule becomes due. */
  planners: Set<(due: Date) => void>;
};

type AutomationOptions = Pick<Automations, "tables" | "entities" | "channels" | "logs" | "log"> & {
  database: Database;
};

/** Creates the context for automations and their runs. */
export const createAutomationContext = ({
  database: { db, runtime, inTransaction },
  ...input
}: AutomationOptions): Automations => ({
  db,
  runtime,
  inTransaction,
  ...input,
  watched: new TriggerRegistry(db),
  planners: new Set(),
});
