import { putCached, readCached, removeCached } from "#backend/cache";
import { publish, Publishing } from "#backend/channels";
import { addTo, readCounter } from "#backend/counters";
import { type Hands, offerServices } from "#backend/extensions";
import { deleteKeys, readValue, writeValue } from "#backend/hive";
import {
  bulkCreate,
  bulkDelete,
  bulkUpdate,
  type Caller as TableCaller,
  countRecords,
  findOne,
  findRecords,
  onTable,
  relate,
  remove,
  save,
  type Table,
  type Tables,
  upsert,
} from "#backend/tables";
import { z } from "zod";
import { callService, type Speaker } from "./extensions.ts";
import { HandedMail } from "./mails/forms.ts";
import { sendFor } from "./mails/sending.ts";
import { assertMayPublish, publisherIn } from "./messaging/publisher.ts";
import { parsed } from "./parse.ts";
import type { RestHouse } from "./route.ts";

const Name = z.string().min(1).max(250);
const Id = z.string().max(250);
const Clause = z.string().trim().min(1, "needs a condition").max(20_000);
const Rest = z.unknown();
const Options = z.record(z.string().max(100), z.unknown());

/** A host function that validates its arguments first. */
const hand =
  <A extends z.ZodTuple>(args: A, work: (args: z.output<A>, speaker: Speaker) => Promise<unknown>): Hands<Speaker>[string] =>
  ({ caller, cause }, given, within) =>
    work(parsed(args, padded(given, args)), { caller, within, cause });

/** Missing trailing arguments become undefined, so that the tuple is complete. */
const padded = (given: unknown[], args: z.ZodTuple) =>
  Array.from({ length: args.def.items.length }, (_, at) => (given[at] === null ? undefined : given[at]));

/** Gives extensions their host functions, registers their services and loads them. */
export async function beginExtensions(house: RestHouse): Promise<void> {
  house.extensions.reach(handsOf(house));
  offerServices(house.extensions, house.services, ({ within }) => within ?? null);
  await house.extensions.load();
}

/** All host functions. They take the same path as API calls, with their permissions and limits. */
const handsOf = (house: RestHouse): Hands<Speaker> => ({ ...tableHands(house.tables), ...storeHands(house), ...callHands(house) });

/** The table caller of an extension or automation. */
export const asTables = ({ caller: { viewer, roles, key }, within, cause }: Speaker): TableCaller => ({
  userId: viewer.id,
  roles: [...roles],
  server: key === "server",
  viewer,
  within,
  cause,
});

function tableHands(all: Tables): Hands<Speaker> {
  // A holder of the transaction slot must not wait for another one.
  const tables: Tables = { ...all, inTurn: undefined };
  const asking = (name: string, work: (table: Table) => Promise<unknown>) => onTable(tables, name, work);
  return {
    "tables.find": hand(z.tuple([Name, Rest]), ([name, query], by) =>
      asking(name, (table) => findRecords(tables, asTables(by), table, query ?? {})),
    ),
    "tables.get": hand(z.tuple([Name, Id, Rest]), ([name, id, query], by) =>
      asking(name, (table) => findOne(tables, asTables(by), table, id, query ?? {})),
    ),
    "tables.count": hand(z.tuple([Name, Rest]), ([name, query], by) =>
      asking(name, (table) => countRecords(tables, asTables(by), table, query ?? {})),
    ),
    "tables.save": hand(z.tuple([Name, Rest]), ([name, record], by) => save(tables, asTables(by), name, record)),
    "tables.upsert": hand(z.tuple([Name, Rest]), ([name, record], by) => upsert(tables, asTables(by), name, record)),
    "tables.remove": hand(z.tuple([Name, Id]), ([name, id], by) => remove(tables, asTables(by), name, id)),
    "tables.createMany": hand(z.tuple([Name, Rest]), ([name, records], by) => bulkCreate(tables, asTables(by), name, records)),
    "tables.changeMany": hand(z.tuple([Name, Clause, Rest]), ([name, where, changes], by) =>
      bulkUpdate(tables, asTables(by), name, where, changes),
    ),
    "tables.removeMany": hand(z.tuple([Name, Clause]), ([name, where], by) => bulkDelete(tables, asTables(by), name, where)),
    "tables.relate": hand(
      z.tuple([Name, Id, Name, z.enum(["set", "add", "delete"]), z.array(Id).max(10_000)]),
      ([table, parentId, relation, how, ids], by) => relate(tables, asTables(by), how, { table, parentId, relation, children: { ids } }),
    ),
  };
}

function storeHands({ counters, cache, hives }: RestHouse): Hands<Speaker> {
  return {
    "counters.get": hand(z.tuple([Name]), async ([name]) => Number(await readCounter(counters, name))),
    "counters.add": hand(z.tuple([Name, z.int().default(1)]), async ([name, by]) => Number(await addTo(counters, name, BigInt(by)))),
    "cache.get": hand(z.tuple([Name]), async ([key]) => JSON.parse(await readCached(cache, key)) as unknown),
    "cache.put": hand(z.tuple([Name, Rest, z.number().optional()]), ([key, value, seconds]) =>
      putCached(cache, key, value ?? null, seconds),
    ),
    "cache.remove": hand(z.tuple([Name]), ([key]) => removeCached(cache, key)),
    "hive.get": hand(
      z.tuple([Name, Name]),
      async ([hive, key]) => JSON.parse((await readValue(hives, { hive, key })) ?? "null") as unknown,
    ),
    "hive.set": hand(z.tuple([Name, Name, Rest]), ([hive, key, value]) =>
      writeValue(hives, { hive, key }, { value: value ?? null, until: null, condition: "Always" }),
    ),
    "hive.remove": hand(z.tuple([Name, z.array(Name).max(1_000)]), ([hive, keys]) => deleteKeys(hives, { hive, kind: "key-value" }, keys)),
  };
}

function callHands(house: RestHouse): Hands<Speaker> {
  return {
    "services.call": hand(z.tuple([Name, Name, Rest]), ([service, method, input], by) =>
      callService(house, { service, method, input }, by),
    ),
    "channels.publish": hand(z.tuple([Name, Rest, Rest]), async ([channel, message, options], { caller }) => {
      await assertMayPublish({ house, caller });
      const said = parsed(Publishing, { ...parsed(Options, options ?? {}), message: message ?? null });
      return (await publish(house.channels, publisherIn({ caller }), channel, said)).messageId;
    }),
    "mail.send": hand(
      z.tuple([Rest]),
      async ([mail], { caller }) => (await sendFor({ house, caller }, parsed(HandedMail, mail))).messageId,
    ),
    "events.dispatch": hand(z.tuple([Name, Rest]), ([event, args], by) =>
      house.extensions.dispatch(event, args ?? {}, by, { within: by.within ?? null }),
    ),
  };
}
