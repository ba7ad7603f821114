import { isMark } from "../values/markers.ts";
import type { Caller, Table, WireRecord } from "../catalogue/types.ts";
import type { HookedAct, Told } from "../hooks.ts";
import { type Given, givenFor } from "./record.ts";
import type { Writing } from "./writing.ts";

type Act = { table: Table; caller: Caller };

/** Records as the table's hooks have them written, each read anew. Whose they are and which they are stays. Throws what a hook refuses. */
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

/** Throws what a hook refuses that somebody takes rows away. */
export async function beforeRemoving({ table, caller }: Act, which: Pick<Told, "ids" | "where">): Promise<void> {
  const { hooks } = table;
  if (hooks?.has("before", table.name, "remove")) await hooks.before(caller, table.name, "remove", { ids: null, where: null, ...which });
}

/** Tells the hooks what was done, once it is stored. */
export function afterWriting(writing: Writing, { table, caller }: Act, act: HookedAct, told: () => Told): void {
  const { hooks } = table;
  if (!hooks?.has("after", table.name, act)) return;
  const what = told();
  writing.after(() => hooks.after(caller, table.name, act, what));
}

/** A record as it came, without what is a client's own business. */
export const toldOf = ({ record, objectId }: Given): WireRecord => ({
  ...Object.fromEntries(Object.entries(record).filter(([name]) => !isMark(name))),
  ...(objectId !== null && { objectId }),
});
