import { publish, PublishInput } from "#baas/messaging";
import type { RunIdentity, AutomationFunctions, RecordAction } from "#baas/automations";
import {
  CODES,
  findOne,
  findRecords,
  withTable,
  removeObject,
  saveObject,
  TableFault,
  type DataTables,
  upsertObject,
  type ApiRecord,
} from "#baas/data";
import { Refusal } from "#platform/refusal";
import { callOriginAsTableCaller } from "../extensions/host-functions.ts";
import { callService, type CallOrigin, findCallOrigin } from "../extensions/extension-calls.ts";
import { assertMayPublish, publisherOf } from "../messaging/publisher.ts";
import { parseInput } from "../parse-input.ts";
import type { RestContext } from "../rest-route.ts";

/** Maximum records returned by a step. */
const MAX_FOUND = 100;

/**
 * Creates the actions of automation steps. They use the same commands as API calls, with the rights of the
 * person they run for. `mail` queues emails.
 */
export const createStepActions = (
  app: RestContext,
  mail: AutomationFunctions["mail"],
): AutomationFunctions => ({
  mail,
  async call(by, { service, method, input }) {
    return callService(app, { service, method, input }, await resolveStepCaller(app, by));
  },
  async publish(by, { channel, message, headers }) {
    const { caller } = await resolveStepCaller(app, by);
    await assertMayPublish({ app, caller });
    return publish(
      app.channels,
      publisherOf({ caller }),
      channel,
      parseInput(PublishInput, { message, headers }),
    );
  },
  async record(by, act) {
    return runRecordStep(app.tables, await resolveStepCaller(app, by), act);
  },
});

/**
 * Loads the current rights of the person a step runs for.
 * @throws `not-allowed` when the person is deleted or banned
 */
async function resolveStepCaller(
  app: Pick<RestContext, "database" | "settings" | "now">,
  { personId, server, cause }: RunIdentity,
): Promise<CallOrigin> {
  const speaker = await findCallOrigin(app, personId, server ? "server" : "client");
  if (!speaker)
    throw new Refusal("not-allowed", "The user who started this no longer exists or is locked out.");
  return { ...speaker, cause };
}

async function runRecordStep(
  tables: DataTables,
  speaker: CallOrigin,
  recordAction: RecordAction,
): Promise<unknown> {
  const caller = callOriginAsTableCaller(speaker);
  switch (recordAction.act) {
    case "find":
      return withTable(tables, recordAction.table, (table) =>
        findRecords(tables, caller, table, {
          ...(recordAction.where && { where: recordAction.where }),
          pageSize: MAX_FOUND,
        }),
      );
    case "update":
      return saveObject(tables, caller, recordAction.table, {
        ...recordAction.values,
        objectId: recordAction.objectId,
      });
    case "delete":
      await removeObject(tables, caller, recordAction.table, recordAction.objectId);
      return recordAction.objectId;
    case "create":
      return createRecordOnce(tables, speaker, recordAction);
  }
}

/**
 * Creates a record under a predetermined id, so that a repeated step creates it once. Community entities are
 * created by commands, which assign ids.
 */
async function createRecordOnce(
  tables: DataTables,
  speaker: CallOrigin,
  { table: name, objectId, values, again }: Extract<RecordAction, { act: "create" }>,
) {
  const caller = callOriginAsTableCaller(speaker);
  const { objectId: _given, ...record } = values;
  if (await isEntity(tables, name)) {
    if (again)
      throw new Refusal(
        "invalid",
        "The server stopped during this step; it is not known whether the object was created.",
      );
    return saveObject(tables, caller, name, record);
  }
  const made = again ? await findCreatedBefore(tables, speaker, name, objectId) : null;
  return made ?? upsertObject(tables, caller, name, { ...record, objectId });
}

/**
 * Whether a name is that of an API entity. If there is no table with this name, the step will create a data
 * table.
 */
const isEntity = (tables: DataTables, name: string): Promise<boolean> =>
  fallBackOnCodes(
    [CODES.tableNotFound],
    withTable(tables, name, async (table) => table.entity !== undefined),
    false,
  );

/** Finds the record that an earlier attempt of the step created; null if there is no such record or table. */
const findCreatedBefore = (
  tables: DataTables,
  speaker: CallOrigin,
  name: string,
  objectId: string,
): Promise<ApiRecord | null> =>
  fallBackOnCodes(
    [CODES.objectNotFound, CODES.tableNotFound],
    withTable(tables, name, (table) =>
      findOne(tables, { ...callOriginAsTableCaller(speaker), server: true }, table, objectId),
    ),
    null,
  );

async function fallBackOnCodes<T>(codes: number[], work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TableFault && codes.includes(error.code)) return otherwise;
    throw error;
  }
}
