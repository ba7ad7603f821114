import type { Caller, WireRecord } from "./catalogue/types.ts";

/** What can be hooked. */
export type HookedAct = "create" | "update" | "remove" | "find";

/** What a hook is told: the records that come, the rows that are meant, the query. `result` is what came of it. */
export type Told = {
  records?: WireRecord[];
  ids?: string[] | null;
  where?: string | null;
  query?: Record<string, unknown>;
  objectId?: string | null;
  count?: number;
};

/**
 * What others do before and after something is done with the records of programs. `before` gives what is to be stored or asked for instead,
 * or throws a refusal; `after` is told of what was stored, and nobody waits for it.
 */
export type Hooks = {
  has: (when: "before" | "after", table: string, act: HookedAct) => boolean;
  before: (caller: Caller, table: string, act: HookedAct, told: Told) => Promise<Told>;
  after: (caller: Caller, table: string, act: HookedAct, told: Told) => void;
  /** Before hooks that hold a connection meanwhile come one by one, some at a time: they may need another one for what they ask. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
};
