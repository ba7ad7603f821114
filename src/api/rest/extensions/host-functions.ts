import { putCached, getCached, removeCached } from "#baas/cache";
import { publish, PublishInput } from "#baas/messaging";
import { addToCounter, readCounter } from "#baas/counters";
import { type HostFunctions, offerServices } from "#baas/extensions";
import { deleteKeys, readValue, writeValue } from "#baas/hive";
import {
  bulkCreateObjects,
  bulkDeleteObjects,
  bulkUpdateObjects,
  type Caller as TableCaller,
  countRecords,
  findOne,
  findRecords,
  withTable,
  relateObjects,
  removeObject,
  saveObject,
  type Table,
  type DataTables,
  upsertObject,
} from "#baas/data";
import { z } from "zod";
import { callService, type CallOrigin } from "./extension-calls.ts";
import { ExtensionEmail } from "../email/email-schemas.ts";
import { sendEmailFor } from "../email/send-email.ts";
import { assertMayPublish, publisherOf } from "../messaging/publisher.ts";
import { parseInput } from "../parse-input.ts";
import type { RestContext } from "../rest-route.ts";

const NameArgument = z.string().min(1).max(250);
const IdArgument = z.string().max(250);
const ClauseArgument = z.string().trim().min(1, "needs a condition").max(20_000);
const OptionalArgument = z.unknown();
const OptionsArgument = z.record(z.string().max(100), z.unknown());

/** Creates a host function that validates its arguments first. */
const hostFunction =
  <A extends z.ZodTuple>(
    args: A,
    work: (args: z.output<A>, speaker: CallOrigin) => Promise<unknown>,
  ): HostFunctions<CallOrigin>[string] =>
  ({ caller, cause }, input, within) =>
    work(parseInput(args, padArguments(input, args)), { caller, within, cause });

/**
 * Pads missing trailing arguments with undefined, so that the list has the length of the tuple. A null
 * counts as missing.
 */
const padArguments = (input: unknown[], args: z.ZodTuple) =>
  Array.from({ length: args.def.items.length }, (_, at) => (input[at] === null ? undefined : input[at]));

/** Starts extensions: provides their host functions, registers their services and loads them. */
export async function startExtensions(app: RestContext): Promise<void> {
  app.extensions.setHostFunctions(createHostFunctions(app));
  offerServices(app.extensions, app.services, ({ within }) => within ?? null);
  await app.extensions.load();
}

/**
 * Creates all host functions. They run the same commands as API calls, with the same permissions and limits.
 */
const createHostFunctions = (app: RestContext): HostFunctions<CallOrigin> => ({
  ...createTableFunctions(app.tables),
  ...createStoreFunctions(app),
  ...createCallFunctions(app),
});

/** The caller of an extension or automation in the form that tables take. */
export const callOriginAsTableCaller = ({
  caller: { viewer, roles, key },
  within,
  cause,
}: CallOrigin): TableCaller => ({
  userId: viewer.id,
  roles: [...roles],
  server: key === "server",
  viewer,
  within,
  cause,
});

function createTableFunctions(all: DataTables): HostFunctions<CallOrigin> {
  // Host functions do not wait for a slot for transactions with hooks: a call from a hook occupies a slot
  // already, and would wait forever if all slots were occupied by such calls.
  const tables: DataTables = { ...all, inTurn: undefined };
  const asking = (name: string, work: (table: Table) => Promise<unknown>) => withTable(tables, name, work);
  return {
    "tables.find": hostFunction(z.tuple([NameArgument, OptionalArgument]), ([name, query], by) =>
      asking(name, (table) => findRecords(tables, callOriginAsTableCaller(by), table, query ?? {})),
    ),
    "tables.get": hostFunction(
      z.tuple([NameArgument, IdArgument, OptionalArgument]),
      ([name, id, query], by) =>
        asking(name, (table) => findOne(tables, callOriginAsTableCaller(by), table, id, query ?? {})),
    ),
    "tables.count": hostFunction(z.tuple([NameArgument, OptionalArgument]), ([name, query], by) =>
      asking(name, (table) => countRecords(tables, callOriginAsTableCaller(by), table, query ?? {})),
    ),
    "tables.save": hostFunction(z.tuple([NameArgument, OptionalArgument]), ([name, record], by) =>
      saveObject(tables, callOriginAsTableCaller(by), name, record),
    ),
    "tables.upsert": hostFunction(z.tuple([NameArgument, OptionalArgument]), ([name, record], by) =>
      upsertObject(tables, callOriginAsTableCaller(by), name, record),
    ),
    "tables.remove": hostFunction(z.tuple([NameArgument, IdArgument]), ([name, id], by) =>
      removeObject(tables, callOriginAsTableCaller(by), name, id),
    ),
    "tables.createMany": hostFunction(z.tuple([NameArgument, OptionalArgument]), ([name, records], by) =>
      bulkCreateObjects(tables, callOriginAsTableCaller(by), name, records),
    ),
    "tables.changeMany": hostFunction(
      z.tuple([NameArgument, ClauseArgument, OptionalArgument]),
      ([name, where, changes], by) =>
        bulkUpdateObjects(tables, callOriginAsTableCaller(by), name, where, changes),
    ),
    "tables.removeMany": hostFunction(z.tuple([NameArgument, ClauseArgument]), ([name, where], by) =>
      bulkDeleteObjects(tables, callOriginAsTableCaller(by), name, where),
    ),
    "tables.relate": hostFunction(
      z.tuple([
        NameArgument,
        IdArgument,
        NameArgument,
        z.enum(["set", "add", "delete"]),
        z.array(IdArgument).max(10_000),
      ]),
      ([table, parentId, relation, how, ids], by) =>
        relateObjects(tables, callOriginAsTableCaller(by), how, {
          table,
          parentId,
          relation,
          children: { ids },
        }),
    ),
  };
}

function createStoreFunctions({
  counters,
  cache,
  hives,
}: Pick<RestContext, "counters" | "cache" | "hives">): HostFunctions<CallOrigin> {
  return {
    "counters.get": hostFunction(z.tuple([NameArgument]), async ([name]) =>
      Number(await readCounter(counters, name)),
    ),
    "counters.add": hostFunction(z.tuple([NameArgument, z.int().default(1)]), async ([name, by]) =>
      Number(await addToCounter(counters, name, BigInt(by))),
    ),
    "cache.get": hostFunction(
      z.tuple([NameArgument]),
      async ([key]) => JSON.parse(await getCached(cache, key)) as unknown,
    ),
    "cache.put": hostFunction(
      z.tuple([NameArgument, OptionalArgument, z.number().optional()]),
      ([key, value, seconds]) => putCached(cache, key, value ?? null, seconds),
    ),
    "cache.remove": hostFunction(z.tuple([NameArgument]), ([key]) => removeCached(cache, key)),
    "hive.get": hostFunction(
      z.tuple([NameArgument, NameArgument]),
      async ([hive, key]) => JSON.parse((await readValue(hives, { hive, key })) ?? "null") as unknown,
    ),
    "hive.set": hostFunction(z.tuple([NameArgument, NameArgument, OptionalArgument]), ([hive, key, value]) =>
      writeValue(hives, { hive, key }, { value: value ?? null, until: null, condition: "Always" }),
    ),
    "hive.remove": hostFunction(z.tuple([NameArgument, z.array(NameArgument).max(1_000)]), ([hive, keys]) =>
      deleteKeys(hives, { hive, kind: "key-value" }, keys),
    ),
  };
}

function createCallFunctions(app: RestContext): HostFunctions<CallOrigin> {
  return {
    "services.call": hostFunction(
      z.tuple([NameArgument, NameArgument, OptionalArgument]),
      ([service, method, input], by) => callService(app, { service, method, input }, by),
    ),
    "channels.publish": hostFunction(
      z.tuple([NameArgument, OptionalArgument, OptionalArgument]),
      async ([channel, message, options], { caller }) => {
        await assertMayPublish({ app, caller });
        const input = parseInput(PublishInput, {
          ...parseInput(OptionsArgument, options ?? {}),
          message: message ?? null,
        });
        return (await publish(app.channels, publisherOf({ caller }), channel, input)).messageId;
      },
    ),
    "mail.send": hostFunction(
      z.tuple([OptionalArgument]),
      async ([mail], { caller }) =>
        (await sendEmailFor({ app, caller }, parseInput(ExtensionEmail, mail))).messageId,
    ),
    "events.dispatch": hostFunction(z.tuple([NameArgument, OptionalArgument]), ([event, args], by) =>
      app.extensions.dispatch(event, args ?? {}, by, { within: by.within ?? null }),
    ),
  };
}
