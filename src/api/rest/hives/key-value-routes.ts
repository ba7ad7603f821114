import {
  addToValue,
  expiryAtUnixTime,
  expiryInSeconds,
  readValue,
  readValues,
  writeValue,
  writeValues,
} from "#baas/hive";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import { type Route, WrittenJson } from "../rest-route.ts";
import {
  NumberParam,
  NamedValues,
  EntryNames,
  handleKey,
  parseNamedValues,
  JsonValue,
} from "./hive-params.ts";

const STORE_PATH = "/hive/:hive/key-value";
const KEY_PATH = `${STORE_PATH}/:key`;

const SetValueBody = z.object({
  value: JsonValue,
  ttl: z.number("must be a number of seconds").nullish(),
  expireAt: z.number("must be a time in seconds").nullish(),
  condition: z
    .enum(["IfExists", "IfNotExists", "Always"], "must be IfExists, IfNotExists or Always")
    .default("Always"),
});
const IncrementParams = z.object({ value: NumberParam });

export const keyValueRoutes: Route[] = [
  {
    method: "POST",
    path: STORE_PATH,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      parseNamedValues(await readValues(hives, hiveKey.hive, parseInput(EntryNames, call.body))),
    ),
  },
  {
    method: "PUT",
    path: STORE_PATH,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      writeValues(hives, hiveKey.hive, parseInput(NamedValues, call.body)),
    ),
  },
  {
    method: "PUT",
    path: KEY_PATH,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { value, ttl, expireAt, condition } = parseInput(SetValueBody, call.body);
      const until =
        typeof ttl === "number"
          ? expiryInSeconds(hives, ttl)
          : typeof expireAt === "number"
            ? expiryAtUnixTime(expireAt)
            : null;
      return writeValue(hives, hiveKey, { value, until, condition });
    }),
  },
  {
    method: "GET",
    path: KEY_PATH,
    handle: handleKey(
      async ({ hives, hiveKey }) => new WrittenJson((await readValue(hives, hiveKey)) ?? "null"),
    ),
  },
  {
    method: "PUT",
    path: `${KEY_PATH}/increment`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      addToValue(hives, hiveKey, parseInput(IncrementParams, call.query).value),
    ),
  },
  {
    method: "PUT",
    path: `${KEY_PATH}/decrement`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      addToValue(hives, hiveKey, -parseInput(IncrementParams, call.query).value),
    ),
  },
];
