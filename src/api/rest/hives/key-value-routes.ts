import {
  addToValue,
  expiryAtUnixTime,
  expiryAfterSeconds,
  readValue,
  readValues,
  writeValue,
  writeValues,
} from "#baas/hive";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { SerializedJson } from "../rest-route.ts";
import { AnyJson, NamedJson } from "../shapes.ts";
import { NumberParam, NamedValues, EntryNames, parseNamedValues, JsonValue } from "./hive-params.ts";

const STORE_PATH = "/hive/:hive/key-value";
const KEY_PATH = `${STORE_PATH}/:key` as const;
const params = { hive: "garden", key: "season" };

const SetValueBody = z.object({
  value: JsonValue,
  ttl: z.number("must be a number of seconds").nullish(),
  expireAt: z.number("must be a time in seconds").nullish(),
  condition: z
    .enum(["IfExists", "IfNotExists", "Always"], "must be IfExists, IfNotExists or Always")
    .default("Always"),
});
const IncrementParams = z.object({ value: NumberParam });

const addEndpoint = (change: "increment" | "decrement") =>
  defineEndpoint({
    method: "PUT",
    path: `${KEY_PATH}/${change}`,
    summary: `${change === "increment" ? "Adds" : "Subtracts"} \`value\` and returns the new value.`,
    query: IncrementParams,
    response: z.number(),
    example: { params: { hive: "garden", key: "visits" }, query: { value: "2" } },
    handle: ({ app, params: { hive, key }, query: { value } }) =>
      addToValue(app.hives, { hive, key }, change === "increment" ? value : -value),
  });

export const keyValueEndpoints = [
  defineEndpoint({
    method: "POST",
    path: STORE_PATH,
    summary: "Returns the values of these keys; missing ones are left out.",
    body: EntryNames,
    response: NamedJson,
    example: { params: { hive: "garden" }, body: ["season"] },
    handle: async ({ app, params: { hive }, body }) =>
      parseNamedValues(await readValues(app.hives, hive, body)),
  }),
  defineEndpoint({
    method: "PUT",
    path: STORE_PATH,
    summary: "Sets the values of these keys.",
    body: NamedValues,
    example: { params: { hive: "garden" }, body: { season: "spring" } },
    handle: ({ app, params: { hive }, body }) => writeValues(app.hives, hive, body),
  }),
  defineEndpoint({
    method: "PUT",
    path: KEY_PATH,
    summary: "Sets a value if `condition` holds, and returns whether it did. Without an expiry it has none.",
    body: SetValueBody,
    response: z.boolean(),
    example: { params, body: { value: "spring", ttl: 3_600, condition: "Always" } },
    async handle({ app: { hives }, params: { hive, key }, body: { value, ttl, expireAt, condition } }) {
      const until =
        typeof ttl === "number"
          ? expiryAfterSeconds(hives, ttl)
          : typeof expireAt === "number"
            ? expiryAtUnixTime(expireAt)
            : null;
      return writeValue(hives, { hive, key }, { value, until, condition });
    },
  }),
  defineEndpoint({
    method: "GET",
    path: KEY_PATH,
    summary: "Returns the value, or null.",
    response: AnyJson,
    example: { params },
    handle: async ({ app, params: { hive, key } }) =>
      new SerializedJson((await readValue(app.hives, { hive, key })) ?? "null"),
  }),
  addEndpoint("increment"),
  addEndpoint("decrement"),
];
