import type { Caller, WireRecord } from "./catalogue/types.ts";

export type HookedAct = "create" | "update" | "remove" | "find";

/** Payload of a hook: the new records, the affected rows, or the query. `result` is the outcome. */
export type Told = {
  records?: WireRecord[];
  ids?: string[] | null;
  where?: string | null;
  query?: Record<string, unknown>;
  objectId?: string | null;
  count?: number;
};

/**
 * Hooks around actions on records. `before` returns what is stored or queried instead, or throws a refusal;
 * `after` runs in the background.
 */
export type Hooks = {
  has: (when: "before" | "after", table: string, act: HookedAct) => boolean;
  before: (caller: Caller, table: string, act: HookedAct, told: Told) => Promise<Told>;
  after: (caller: Caller, table: string, act: HookedAct, told: Told) => void;
  /**
   * Limits concurrent transactions with before-hooks: each holds a connection, and the hook may need another.
   */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
};
