import { isMark } from "../values/markers.ts";
import type { Caller, Table, WireRecord } from "../catalogue/types.ts";
import type { HookedAct, Told } from "../hooks.ts";
import { type Given, givenFor } from "./record.ts";
import type { Writing } from "./writing.ts";

type Act = { table: Table; caller: Caller };

/**
 * Applies before-hooks to records and parses the results; ids and owners stay.
 * @throws the refusals of hooks
 */
export async function beforeWriting(
  { table, caller }: Act,
  act: "create" | "update",
  list: Given[],
  where: string | null = null,
): Promise<Given[]> {
  const { hooks } = table;
  if (!hooks?.has("before", table.name, act) || list.length === 0) return list;
  const { records } = await hooks.before(caller, table.name, act, { records: list.map(toldOf), where });
  return records!.map((record, at) => {
    const given = list[at]!;
    return { ...givenFor(table, caller, record), objectId: given.objectId, ownerId: given.ownerId, relations: given.relations };
  });
}

/** @throws the refusals of before-hooks on removal */
export async function beforeRemoving({ table, caller }: Act, which: Pick<Told, "ids" | "where">): Promise<void> {
  const { hooks } = table;
  if (hooks?.has("before", table.name, "remove")) await hooks.before(caller, table.name, "remove", { ids: null, where: null, ...which });
}

/** Runs after-hooks once the change is stored. */
export function afterWriting(writing: Writing, { table, caller }: Act, act: HookedAct, told: () => Told): void {
  const { hooks } = table;
  if (!hooks?.has("after", table.name, act)) return;
  const what = told();
  writing.after(() => hooks.after(caller, table.name, act, what));
}

/** A record as sent, without client markers. */
export const toldOf = ({ record, objectId }: Given): WireRecord => ({
  ...Object.fromEntries(Object.entries(record).filter(([name]) => !isMark(name))),
  ...(objectId !== null && { objectId }),
});
