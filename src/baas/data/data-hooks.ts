import type { Caller, ApiRecord } from "./catalogue/types.ts";

export type HookedAction = "create" | "update" | "remove" | "find";

/** Payload of a hook: the new records, the affected rows, or the query. */
export type HookPayload = {
  records?: ApiRecord[];
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
  has: (when: "before" | "after", table: string, action: HookedAction) => boolean;
  before: (caller: Caller, table: string, action: HookedAction, payload: HookPayload) => Promise<HookPayload>;
  after: (caller: Caller, table: string, action: HookedAction, payload: HookPayload) => void;
  /**
   * Limits concurrent transactions with before-hooks: each occupies a connection, and its hook may need
   * another one.
   */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
};
