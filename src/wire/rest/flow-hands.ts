import { publish, Publishing } from "#backend/channels";
import type { By, Hands, RecordAct } from "#backend/flows";
import { CODES, findOne, findRecords, onTable, remove, save, TableFault, type Tables, upsert, type WireRecord } from "#backend/tables";
import { Refusal } from "#platform/refusal";
import { asTables } from "./extension-hands.ts";
import { callService, type Speaker, speakerFor } from "./extensions.ts";
import { assertMayPublish, publisherIn } from "./messaging/publisher.ts";
import { parsed } from "./parse.ts";
import type { RestHouse } from "./route.ts";

/** Maximum records a step finds. */
const FOUND = 100;

/**
 * Actions of automation steps. They take the same path as API calls, as the person they run for. `mail` is
 * provided by the app.
 */
export const flowHandsOf = (house: RestHouse, mail: Hands["mail"]): Hands => ({
  mail,
  async call(by, { service, method, input }) {
    return callService(house, { service, method, input }, await speakerOf(house, by));
  },
  async publish(by, { channel, message, headers }) {
    const { caller } = await speakerOf(house, by);
    await assertMayPublish({ house, caller });
    return publish(house.channels, publisherIn({ caller }), channel, parsed(Publishing, { message, headers }));
  },
  async record(by, act) {
    return onRecord(house.tables, await speakerOf(house, by), act);
  },
});

/**
 * The current rights of the person a step runs for.
 * @throws `not-allowed` when deleted or banned
 */
async function speakerOf(house: RestHouse, { personId, server, cause }: By): Promise<Speaker> {
  const speaker = await speakerFor(house, personId, server ? "server" : "client");
  if (!speaker) throw new Refusal("not-allowed", "Whoever has started this is gone, or shut out.");
  return { ...speaker, cause };
}

async function onRecord(tables: Tables, speaker: Speaker, it: RecordAct): Promise<unknown> {
  const caller = asTables(speaker);
  switch (it.act) {
    case "find":
      return onTable(tables, it.table, (table) =>
        findRecords(tables, caller, table, { ...(it.where && { where: it.where }), pageSize: FOUND }),
      );
    case "update":
      return save(tables, caller, it.table, { ...it.values, objectId: it.objectId });
    case "delete":
      await remove(tables, caller, it.table, it.objectId);
      return it.objectId;
    case "create":
      return created(tables, speaker, it);
  }
}

/**
 * Creates a record under a predetermined id, so that a repeated step creates it once. Community entities are
 * created by commands, which assign ids.
 */
async function created(tables: Tables, speaker: Speaker, { table: name, objectId, values, again }: Extract<RecordAct, { act: "create" }>) {
  const caller = asTables(speaker);
  const { objectId: _given, ...record } = values;
  if (await isNoun(tables, name)) {
    if (again) throw new Refusal("invalid", "It broke off while this was being made; whether it was made is not known.");
    return save(tables, caller, name, record);
  }
  const made = again ? await madeBefore(tables, speaker, name, objectId) : null;
  return made ?? upsert(tables, caller, name, { ...record, objectId });
}

/** A missing table is a data table still to be created. */
const isNoun = (tables: Tables, name: string): Promise<boolean> =>
  unless(
    [CODES.tableNotFound],
    onTable(tables, name, async (table) => table.noun !== undefined),
    false,
  );

/** The step may have been interrupted before the table existed. */
const madeBefore = (tables: Tables, speaker: Speaker, name: string, objectId: string): Promise<WireRecord | null> =>
  unless(
    [CODES.objectNotFound, CODES.tableNotFound],
    onTable(tables, name, (table) => findOne(tables, { ...asTables(speaker), server: true }, table, objectId)),
    null,
  );

async function unless<T>(codes: number[], work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TableFault && codes.includes(error.code)) return otherwise;
    throw error;
  }
}
