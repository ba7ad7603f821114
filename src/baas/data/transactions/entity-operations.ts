import type { ApiRecord } from "../catalogue/types.ts";
import {
  changeEntities,
  type EntityCommand,
  prepareEntities,
  removeEntity,
  removeEntities,
  saveEntity,
  saveEntities,
  getSavedEntity,
} from "../writes/entity-writes.ts";
import { requireRecord } from "../writes/record-input.ts";
import type { OperationType } from "./transaction-schemas.ts";
import {
  parseOperationId,
  parseList,
  type RunOperation,
  type OperationContext,
  parseSelection,
} from "./table-operations.ts";

const createEntityCommand = ({
  tx,
  writing: { catalogue },
  caller,
  table,
  left,
}: OperationContext): EntityCommand => ({
  tx,
  catalogue,
  caller,
  table,
  left,
});

async function saved(scene: OperationContext, record: ApiRecord): Promise<ApiRecord> {
  const { writing, caller, table } = scene;
  const [prepared] = await prepareEntities(table, caller, [record]);
  return getSavedEntity(
    writing,
    caller,
    table,
    await saveEntity(createEntityCommand(scene), prepared!),
    record,
  );
}

const saveEntityList = async (scene: OperationContext, records: ApiRecord[]): Promise<string[]> =>
  saveEntities(createEntityCommand(scene), await prepareEntities(scene.table, scene.caller, records));

const withoutObjectId = ({ objectId: _given, ...record }: ApiRecord): ApiRecord => record;

/**
 * Operations on API entities that run the entity's own commands within the transaction. All others are
 * handled as for data tables.
 */
export const ENTITY_OPERATIONS: Partial<Record<OperationType, RunOperation>> = {
  CREATE: (scene, payload) => saved(scene, withoutObjectId(requireRecord(payload))),
  UPDATE(scene, payload) {
    const record = requireRecord(payload);
    return saved(scene, { ...record, objectId: parseOperationId(record["objectId"]) });
  },
  UPSERT: (scene, payload) => saved(scene, requireRecord(payload)),
  DELETE: (scene, payload) => removeEntity(createEntityCommand(scene), parseOperationId(payload)),
  CREATE_BULK: (scene, payload) =>
    saveEntityList(
      scene,
      parseList(payload, "create").map((it) => withoutObjectId(requireRecord(it))),
    ),
  UPSERT_BULK: (scene, payload) => saveEntityList(scene, parseList(payload, "upsert").map(requireRecord)),
  UPDATE_BULK: (scene, payload) =>
    changeEntities(
      createEntityCommand(scene),
      parseSelection(payload),
      requireRecord(requireRecord(payload)["changes"]),
    ),
  DELETE_BULK: (scene, payload) => removeEntities(createEntityCommand(scene), parseSelection(payload)),
};
