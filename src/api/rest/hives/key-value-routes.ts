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
    handle: handleKey(async ({ hives, spot, call }) =>
      parseNamedValues(await readValues(hives, spot.hive, parseInput(EntryNames, call.body))),
    ),
  },
  {
    method: "PUT",
    path: STORE_PATH,
    handle: handleKey(async ({ hives, spot, call }) =>
      writeValues(hives, spot.hive, parseInput(NamedValues, call.body)),
    ),
  },
  {
    method: "PUT",
    path: KEY_PATH,
    handle: handleKey(async ({ hives, spot, call }) => {
      const { value, ttl, expireAt, condition } = parseInput(SetValueBody, call.body);
      const until =
        typeof ttl === "number"
          ? expiryInSeconds(hives, ttl)
          : typeof expireAt === "number"
            ? expiryAtUnixTime(expireAt)
            : null;
      return writeValue(hives, spot, { value, until, condition });
    }),
  },
  {
    method: "GET",
    path: KEY_PATH,
    handle: handleKey(async ({ hives, spot }) => new WrittenJson((await readValue(hives, spot)) ?? "null")),
  },
  {
    method: "PUT",
    path: `${KEY_PATH}/increment`,
    handle: handleKey(async ({ hives, spot, call }) =>
      addToValue(hives, spot, parseInput(IncrementParams, call.query).value),
    ),
  },
  {
    method: "PUT",
    path: `${KEY_PATH}/decrement`,
    handle: handleKey(async ({ hives, spot, call }) =>
      addToValue(hives, spot, -parseInput(IncrementParams, call.query).value),
    ),
  },
];
