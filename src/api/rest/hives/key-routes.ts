import {
  expiryAtUnixTime,
  countKeys,
  deleteKeys,
  expireKey,
  getKey,
  expiryInSeconds,
  type StoreKind,
  listKeys,
  type StoreKey,
  renameKey,
  touchKeys,
} from "#baas/hive";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";
import { NumberParam, FlagParam, EntryNames, IntegerParam } from "./hive-params.ts";

const KeyPageParams = z.object({
  filterPattern: z.string("must be given once").max(250, "can have at most 250 characters").optional(),
  cursor: IntegerParam.optional(),
  pageSize: IntegerParam.refine((size) => size > 0, "must be at least 1").optional(),
});
const RenameKeyParams = z.object({ newKey: z.string("must be given once"), overwrite: FlagParam.optional() });
const TtlParam = z.object({ ttl: NumberParam });
const ExpiryParam = z.object({ unixTime: NumberParam });

/** Routes for the keys of a kind of store. */
export function createKeyRoutes(kind: StoreKind): Route[] {
  const shelf = ({ params }: Call) => ({ hive: params["hive"] ?? "", kind });
  const place = (call: Call): StoreKey => ({ ...shelf(call), key: call.params["key"] ?? "" });
  const all = `/hive/:hive/${kind}`;
  const one = `${all}/:key`;
  return [
    {
      method: "GET",
      path: `${all}/keys`,
      handle: async (call) => {
        const { filterPattern, ...page } = parseInput(KeyPageParams, call.query);
        return listKeys(call.app.hives, shelf(call), {
          ...page,
          ...(filterPattern && { pattern: filterPattern }),
        });
      },
    },
    {
      method: "DELETE",
      path: all,
      handle: async (call) => deleteKeys(call.app.hives, shelf(call), parseInput(EntryNames, call.body)),
    },
    {
      method: "DELETE",
      path: one,
      handle: (call) => deleteKeys(call.app.hives, shelf(call), [call.params["key"]!]),
    },
    // The same under the names of two SDK generations.
    ...["exist", "exists"].map((action) => ({
      method: "POST" as const,
      path: `${all}/action/${action}`,
      handle: async (call: Call) => countKeys(call.app.hives, shelf(call), parseInput(EntryNames, call.body)),
    })),
    {
      method: "PUT",
      path: `${all}/action/touch`,
      handle: async (call) => touchKeys(call.app.hives, shelf(call), parseInput(EntryNames, call.body)),
    },
    {
      method: "PUT",
      path: `${one}/rename`,
      handle: async (call) => {
        const { newKey, overwrite } = parseInput(RenameKeyParams, call.query);
        return renameKey(call.app.hives, place(call), newKey, overwrite ?? false);
      },
    },
    {
      method: "GET",
      path: `${one}/get-expiration-ttl`,
      handle: async (call) => {
        const { endsAt } = await getKey(call.app.hives, place(call));
        return endsAt ? Math.ceil((endsAt.getTime() - call.app.now().getTime()) / 1_000) : -1;
      },
    },
    {
      method: "PUT",
      path: `${one}/clear-expiration`,
      handle: (call) => expireKey(call.app.hives, place(call), null),
    },
    {
      method: "PUT",
      path: `${one}/expire`,
      handle: async (call) =>
        expireKey(
          call.app.hives,
          place(call),
          expiryInSeconds(call.app.hives, parseInput(TtlParam, call.query).ttl),
        ),
    },
    {
      method: "PUT",
      path: `${one}/expire-at`,
      handle: async (call) =>
        expireKey(
          call.app.hives,
          place(call),
          expiryAtUnixTime(parseInput(ExpiryParam, call.query).unixTime),
        ),
    },
    {
      method: "GET",
      path: `${one}/seconds-since-last-operation`,
      handle: async (call) => {
        const { usedAt } = await getKey(call.app.hives, place(call));
        return Math.max(0, Math.floor((call.app.now().getTime() - usedAt.getTime()) / 1_000));
      },
    },
  ];
}
