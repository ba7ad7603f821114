import type { WireRecord } from "../catalogue/types.ts";
import { changeNouns, type NounAct, preparedNouns, removeNoun, removeNouns, writeNoun, writeNouns, writtenNoun } from "../writes/nouns.ts";
import { recordIn } from "../writes/record.ts";
import type { OperationType } from "./forms.ts";
import { idOf, listIn, type Run, type Scene, whichOf } from "./operations.ts";

const actOf = ({ tx, writing: { catalogue }, caller, table, left }: Scene): NounAct => ({ tx, catalogue, caller, table, left });

async function saved(scene: Scene, record: WireRecord): Promise<WireRecord> {
  const { writing, caller, table } = scene;
  const [prepared] = await preparedNouns(table, caller, [record]);
  return writtenNoun(writing, caller, table, await writeNoun(actOf(scene), prepared!), record);
}

const savedMany = async (scene: Scene, records: WireRecord[]): Promise<string[]> =>
  writeNouns(actOf(scene), await preparedNouns(scene.table, scene.caller, records));

const without = ({ objectId: _given, ...record }: WireRecord): WireRecord => record;

/**
 * Operations on API entities run the same commands as the pages, within the transaction. Other operations are
 * as for data tables.
 */
export const NOUN_RUNS: Partial<Record<OperationType, Run>> = {
  CREATE: (scene, payload) => saved(scene, without(recordIn(payload))),
  UPDATE(scene, payload) {
    const record = recordIn(payload);
    return saved(scene, { ...record, objectId: idOf(record["objectId"]) });
  },
  UPSERT: (scene, payload) => saved(scene, recordIn(payload)),
  DELETE: (scene, payload) => removeNoun(actOf(scene), idOf(payload)),
  CREATE_BULK: (scene, payload) =>
    savedMany(
      scene,
      listIn(payload, "create").map((it) => without(recordIn(it))),
    ),
  UPSERT_BULK: (scene, payload) => savedMany(scene, listIn(payload, "upsert").map(recordIn)),
  UPDATE_BULK: (scene, payload) => changeNouns(actOf(scene), whichOf(payload), recordIn((payload as Record<string, unknown>)["changes"])),
  DELETE_BULK: (scene, payload) => removeNouns(actOf(scene), whichOf(payload)),
};
