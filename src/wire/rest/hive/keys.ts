import {
  atUnix,
  countKeys,
  deleteKeys,
  endKey,
  getKey,
  inSeconds,
  type Kind,
  listKeys,
  type Place,
  renameKey,
  touchKeys,
} from "#backend/hive";
import { z } from "zod";
import { parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";
import { Amount, Flag, Names, Whole } from "./store.ts";

const Page = z.object({
  filterPattern: z.string("is said once").max(250, "has at most 250 characters").optional(),
  cursor: Whole.optional(),
  pageSize: Whole.refine((size) => size > 0, "is 1 at least").optional(),
});
const NewKey = z.object({ newKey: z.string("is said once"), overwrite: Flag.optional() });
const Ttl = z.object({ ttl: Amount });
const Moment = z.object({ unixTime: Amount });

/** Routes for the keys of a kind of store. */
export function keyRoutes(kind: Kind): Route[] {
  const shelf = ({ params }: Call) => ({ hive: params["hive"] ?? "", kind });
  const place = (call: Call): Place => ({ ...shelf(call), key: call.params["key"] ?? "" });
  const all = `/hive/:hive/${kind}`;
  const one = `${all}/:key`;
  return [
    {
      method: "GET",
      path: `${all}/keys`,
      handle: async (call) => {
        const { filterPattern, ...page } = parsed(Page, call.query);
        return listKeys(call.house.hives, shelf(call), { ...page, ...(filterPattern && { pattern: filterPattern }) });
      },
    },
    { method: "DELETE", path: all, handle: async (call) => deleteKeys(call.house.hives, shelf(call), parsed(Names, call.body)) },
    { method: "DELETE", path: one, handle: (call) => deleteKeys(call.house.hives, shelf(call), [call.params["key"]!]) },
    // The same under the names of two SDK generations.
    ...["exist", "exists"].map((action) => ({
      method: "POST" as const,
      path: `${all}/action/${action}`,
      handle: async (call: Call) => countKeys(call.house.hives, shelf(call), parsed(Names, call.body)),
    })),
    {
      method: "PUT",
      path: `${all}/action/touch`,
      handle: async (call) => touchKeys(call.house.hives, shelf(call), parsed(Names, call.body)),
    },
    {
      method: "PUT",
      path: `${one}/rename`,
      handle: async (call) => {
        const { newKey, overwrite } = parsed(NewKey, call.query);
        return renameKey(call.house.hives, place(call), newKey, overwrite ?? false);
      },
    },
    {
      method: "GET",
      path: `${one}/get-expiration-ttl`,
      handle: async (call) => {
        const { endsAt } = await getKey(call.house.hives, place(call));
        return endsAt ? Math.ceil((endsAt.getTime() - call.house.now().getTime()) / 1_000) : -1;
      },
    },
    { method: "PUT", path: `${one}/clear-expiration`, handle: (call) => endKey(call.house.hives, place(call), null) },
    {
      method: "PUT",
      path: `${one}/expire`,
      handle: async (call) => endKey(call.house.hives, place(call), inSeconds(call.house.hives, parsed(Ttl, call.query).ttl)),
    },
    {
      method: "PUT",
      path: `${one}/expire-at`,
      handle: async (call) => endKey(call.house.hives, place(call), atUnix(parsed(Moment, call.query).unixTime)),
    },
    {
      method: "GET",
      path: `${one}/seconds-since-last-operation`,
      handle: async (call) => {
        const { usedAt } = await getKey(call.house.hives, place(call));
        return Math.max(0, Math.floor((call.house.now().getTime() - usedAt.getTime()) / 1_000));
      },
    },
  ];
}
