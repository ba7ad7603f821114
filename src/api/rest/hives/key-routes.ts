import {
  expiryAtUnixTime,
  countKeys,
  deleteKeys,
  expireKey,
  getKey,
  expiryAfterSeconds,
  type StoreKind,
  listKeys,
  renameKey,
  touchKeys,
} from "#baas/hive";
import { z } from "zod";
import { defineEndpoint, type Endpoint } from "../endpoint.ts";
import { WholeNumber } from "../shapes.ts";
import { NumberParam, FlagParam, EntryNames, IntegerParam } from "./hive-params.ts";

const KeyPageParams = z.object({
  filterPattern: z.string("must be given once").max(250, "can have at most 250 characters").optional(),
  cursor: IntegerParam.optional(),
  pageSize: IntegerParam.refine((size) => size > 0, "must be at least 1").optional(),
});
const KeyPage = z.object({ keys: z.array(z.string()), cursorId: z.string() }).meta({ id: "KeyPage" });
const RenameKeyParams = z.object({ newKey: z.string("must be given once"), overwrite: FlagParam.optional() });
const TtlParam = z.object({ ttl: NumberParam });
const ExpiryParam = z.object({ unixTime: NumberParam });

/** Creates the endpoints for keys of a kind of store. `key` is the key in their examples. */
export function createKeyEndpoints(kind: StoreKind, key: string): Endpoint[] {
  const all = `/hive/:hive/${kind}` as const;
  const one = `${all}/:key` as const;
  const store = ({ hive }: { hive: string }) => ({ hive, kind });
  const storeKey = (params: { hive: string; key: string }) => ({ ...store(params), key: params.key });
  const hiveExample = { hive: "garden" };
  const params = { hive: "garden", key };
  // Declares the endpoint under two names, because two SDK generations differ.
  const countEndpoint = (action: "exist" | "exists") =>
    defineEndpoint({
      method: "POST",
      path: `${all}/action/${action}`,
      summary: "Returns how many of these keys exist.",
      body: EntryNames,
      response: WholeNumber,
      example: { params: hiveExample, body: [key] },
      handle: (call) => countKeys(call.app.hives, store(call.params), call.body),
    });
  return [
    defineEndpoint({
      method: "GET",
      path: `${all}/keys`,
      summary: "Lists a page of keys; `cursorId` is `0` at the end.",
      query: KeyPageParams,
      response: KeyPage,
      example: { params: hiveExample, query: { filterPattern: "*", pageSize: "10" } },
      handle({ app, params: at, query: { filterPattern, ...page } }) {
        return listKeys(app.hives, store(at), { ...page, ...(filterPattern && { pattern: filterPattern }) });
      },
    }),
    defineEndpoint({
      method: "DELETE",
      path: all,
      summary: "Deletes keys and returns how many.",
      body: EntryNames,
      response: WholeNumber,
      example: { params: hiveExample, body: [key] },
      handle: (call) => deleteKeys(call.app.hives, store(call.params), call.body),
    }),
    defineEndpoint({
      method: "DELETE",
      path: one,
      summary: "Deletes one key and returns 1, or 0 if it does not exist.",
      response: WholeNumber,
      example: { params },
      handle: (call) => deleteKeys(call.app.hives, store(call.params), [call.params.key]),
    }),
    countEndpoint("exist"),
    countEndpoint("exists"),
    defineEndpoint({
      method: "PUT",
      path: `${all}/action/touch`,
      summary: "Marks keys as used now and returns how many.",
      body: EntryNames,
      response: WholeNumber,
      example: { params: hiveExample, body: [key] },
      handle: (call) => touchKeys(call.app.hives, store(call.params), call.body),
    }),
    defineEndpoint({
      method: "PUT",
      path: `${one}/rename`,
      summary: "Renames a key to `newKey`; replaces an existing one only with `overwrite`.",
      query: RenameKeyParams,
      response: z.boolean(),
      example: { params, query: { newKey: "earlier", overwrite: "true" } },
      handle: ({ app, params: at, query: { newKey, overwrite } }) =>
        renameKey(app.hives, storeKey(at), newKey, overwrite ?? false),
    }),
    defineEndpoint({
      method: "GET",
      path: `${one}/get-expiration-ttl`,
      summary: "Returns the seconds until a key expires; -1 if it does not.",
      response: WholeNumber,
      example: { params },
      async handle({ app, params: at }) {
        const { endsAt } = await getKey(app.hives, storeKey(at));
        return endsAt ? Math.ceil((endsAt.getTime() - app.now().getTime()) / 1_000) : -1;
      },
    }),
    defineEndpoint({
      method: "PUT",
      path: `${one}/clear-expiration`,
      summary: "Removes the expiry of a key.",
      example: { params },
      handle: ({ app, params: at }) => expireKey(app.hives, storeKey(at), null),
    }),
    defineEndpoint({
      method: "PUT",
      path: `${one}/expire`,
      summary: "Sets the expiry of a key to `ttl` seconds from now.",
      query: TtlParam,
      example: { params, query: { ttl: "60" } },
      handle: async ({ app, params: at, query }) =>
        expireKey(app.hives, storeKey(at), expiryAfterSeconds(app.hives, query.ttl)),
    }),
    defineEndpoint({
      method: "PUT",
      path: `${one}/expire-at`,
      summary: "Sets the expiry of a key to `unixTime`, in seconds or milliseconds.",
      query: ExpiryParam,
      example: { params, query: { unixTime: "1900000000" } },
      handle: async ({ app, params: at, query }) =>
        expireKey(app.hives, storeKey(at), expiryAtUnixTime(query.unixTime)),
    }),
    defineEndpoint({
      method: "GET",
      path: `${one}/seconds-since-last-operation`,
      summary: "Returns the seconds since a key was last changed or touched.",
      response: WholeNumber,
      example: { params },
      async handle({ app, params: at }) {
        const { usedAt } = await getKey(app.hives, storeKey(at));
        return Math.max(0, Math.floor((app.now().getTime() - usedAt.getTime()) / 1_000));
      },
    }),
  ];
}
