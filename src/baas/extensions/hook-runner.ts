import { msg } from "#platform/messages";
import type { Caller as TableCaller, Hooks, HookPayload } from "#baas/data";
import type { Log } from "#platform/log";
import { KeyedQueue } from "#platform/queue";
import { ExtensionFault, EXTENSION_ERROR_CODES } from "./extension-errors.ts";
import type { HookedAction, PartInfo } from "./thread-protocol.ts";

type Hook = Extract<PartInfo, { kind: "hook" }>;
type RunHook = (hook: Hook, caller: TableCaller, payload: unknown, background: boolean) => Promise<unknown>;
type HookOptions = { parts: () => readonly PartInfo[]; run: RunHook; log: Log; atOnce: number };
type Row = Record<string, unknown>;

/** Maximum records per run of a hook. More records are passed in batches. */
const BATCH_SIZE = 100;
/** Maximum characters of a batch as JSON. */
const BATCH_CHARACTERS = 500_000;
/** Maximum after-hooks running or waiting. */
const MAX_AFTER_HOOKS = 1_000;

/** Runs the hooks of extensions for data tables. */
export function createHookRunner({
  parts,
  run,
  log,
  atOnce,
}: HookOptions): Hooks & { settled: () => Promise<void> } {
  const under = new Set<Promise<unknown>>();
  const turns = new KeyedQueue(atOnce);
  const hooksOf = (when: Hook["when"], table: string, action: HookedAction): Hook[] =>
    parts().filter(
      (part): part is Hook =>
        part.kind === "hook" &&
        part.when === when &&
        part.act === action &&
        (part.table === table || part.table === "*"),
    );
  return {
    has: (when, table, action) => hooksOf(when, table, action).length > 0,
    inTurn: (work) =>
      parts().some((it) => it.kind === "hook" && it.when === "before")
        ? turns.run("transactions", work)
        : work(),
    async before(caller, table, action, payload) {
      let now = payload;
      for (const hook of hooksOf("before", table, action))
        now = await applyHook(hook, (it) => run(hook, caller, { table, ...it }, false), now);
      return now;
    },
    after(caller, table, action, payload) {
      for (const hook of hooksOf("after", table, action)) {
        if (under.size >= MAX_AFTER_HOOKS)
          return log.error({ hook: hook.key }, "too many hooks are waiting: one was skipped");
        const work: Promise<unknown> = run(hook, caller, { table, ...payload }, true)
          .catch((error: unknown) => log.warn({ hook: hook.key, err: error }, "an after-hook failed"))
          .finally(() => under.delete(work));
        under.add(work);
      }
    },
    settled: async () => void (await Promise.all(under)),
  };
}

/** Returns the payload as changed by a hook. */
async function applyHook(
  hook: Hook,
  callHook: (payload: HookPayload) => Promise<unknown>,
  payload: HookPayload,
): Promise<HookPayload> {
  if (hook.act === "find")
    return { ...payload, query: readQueryAnswer(hook, await callHook(payload)) ?? payload.query };
  if (!payload.records) {
    await callHook(payload);
    return payload;
  }
  const records: Row[] = [];
  for (const share of batchRecords(payload.records)) {
    records.push(
      ...(readRecordsAnswer(hook, await callHook({ ...payload, records: share }), share.length) ?? share),
    );
  }
  return { ...payload, records };
}

function* batchRecords(records: Row[]): Generator<Row[]> {
  let share: Row[] = [];
  let size = 0;
  for (const record of records) {
    const length = JSON.stringify(record).length;
    if (share.length > 0 && (share.length >= BATCH_SIZE || size + length > BATCH_CHARACTERS)) {
      yield share;
      [share, size] = [[], 0];
    }
    share.push(record);
    size += length;
  }
  yield share;
}

const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const invalidAnswer = ({ when, table, act }: Hook, wanted: string) =>
  new ExtensionFault(
    EXTENSION_ERROR_CODES.badAnswer,
    msg("The hook {when} {act} of ''{table}'' must return {wanted} or nothing.", {
      when,
      act,
      table,
      wanted,
    }),
  );

function readQueryAnswer(hook: Hook, answer: unknown): Row | null {
  if (answer === null || isRow(answer)) return answer;
  throw invalidAnswer(hook, "a query");
}

function readRecordsAnswer(hook: Hook, answer: unknown, count: number): Row[] | null {
  if (answer === null) return null;
  if (Array.isArray(answer) && answer.length === count && answer.every(isRow)) return answer;
  throw invalidAnswer(hook, "as many records as it was given");
}
