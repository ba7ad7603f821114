import { isMarkerKey } from "../values/repeated-objects.ts";
import type { Caller, Table, ApiRecord } from "../catalogue/types.ts";
import type { HookedAction, HookPayload } from "../data-hooks.ts";
import { type RecordInput, parseRecordInput } from "./record-input.ts";
import type { WriteContext } from "./write-context.ts";

type WriteTarget = { table: Table; caller: Caller };

/**
 * Runs before-hooks on records and parses the results. Hooks cannot change ids and owners.
 * @throws the refusals of hooks
 */
export async function runBeforeWriteHooks(
  { table, caller }: WriteTarget,
  act: "create" | "update",
  list: RecordInput[],
  where: string | null = null,
): Promise<RecordInput[]> {
  const { hooks } = table;
  if (!hooks?.has("before", table.name, act) || list.length === 0) return list;
  const { records } = await hooks.before(caller, table.name, act, { records: list.map(toHookRecord), where });
  return records!.map((record, at) => {
    const input = list[at]!;
    return {
      ...parseRecordInput(table, caller, record),
      objectId: input.objectId,
      ownerId: input.ownerId,
      relations: input.relations,
    };
  });
}

/**
 * Runs before-hooks on one record and parses the result, as `runBeforeWriteHooks` does.
 * @throws the refusals of hooks
 */
export async function runBeforeWriteHook(
  target: WriteTarget,
  act: "create" | "update",
  input: RecordInput,
  where: string | null = null,
): Promise<RecordInput> {
  const [prepared] = await runBeforeWriteHooks(target, act, [input], where);
  return prepared!;
}

/**
 * Runs before-hooks on removal.
 * @throws the refusals of hooks
 */
export async function runBeforeRemoveHooks(
  { table, caller }: WriteTarget,
  which: Pick<HookPayload, "ids" | "where">,
): Promise<void> {
  const { hooks } = table;
  if (hooks?.has("before", table.name, "remove"))
    await hooks.before(caller, table.name, "remove", { ids: null, where: null, ...which });
}

/** Runs after-hooks once the change has been committed. */
export function runAfterWriteHooks(
  writing: WriteContext,
  { table, caller }: WriteTarget,
  action: HookedAction,
  createPayload: () => HookPayload,
): void {
  const { hooks } = table;
  if (!hooks?.has("after", table.name, action)) return;
  const what = createPayload();
  writing.after(() => hooks.after(caller, table.name, action, what));
}

/** Returns a record as the client sent it, without its markers. */
export const toHookRecord = ({ record, objectId }: RecordInput): ApiRecord => ({
  ...Object.fromEntries(Object.entries(record).filter(([name]) => !isMarkerKey(name))),
  ...(objectId !== null && { objectId }),
});
