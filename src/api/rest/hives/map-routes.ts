import { addToMapField, addToMap, mapLength, readMap, removeFromMap, writeMap } from "#baas/hive";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";
import {
  NamedValues,
  EntryNames,
  handleKey,
  parseValues,
  parseNamedValues,
  StepParam,
  JsonValue,
  ValueBody,
} from "./hive-params.ts";

const MAP_PATH = "/hive/:hive/map/:key";
const fieldParam = (params: Record<string, string>) => params["field"] ?? "";
const SetFieldBody = z.object({ value: JsonValue, overwrite: z.boolean("must be true or false").nullish() });

export const mapRoutes: Route[] = [
  {
    method: "POST",
    path: MAP_PATH,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const fields = parseInput(EntryNames, call.body ?? []);
      return parseNamedValues(await readMap(hives, hiveKey, fields.length > 0 ? fields : undefined));
    }),
  },
  {
    method: "GET",
    path: `${MAP_PATH}/get/:field`,
    handle: handleKey(
      async ({ hives, hiveKey, call: { params } }) =>
        parseValues((await readMap(hives, hiveKey, [fieldParam(params)])).values())[0] ?? null,
    ),
  },
  {
    method: "GET",
    path: `${MAP_PATH}/exists/:field`,
    handle: handleKey(
      async ({ hives, hiveKey, call: { params } }) =>
        (await readMap(hives, hiveKey, [fieldParam(params)])).size > 0,
    ),
  },
  {
    method: "GET",
    path: `${MAP_PATH}/length`,
    handle: handleKey(({ hives, hiveKey }) => mapLength(hives, hiveKey)),
  },
  {
    method: "GET",
    path: `${MAP_PATH}/keys`,
    handle: handleKey(async ({ hives, hiveKey }) => [...(await readMap(hives, hiveKey)).keys()]),
  },
  {
    method: "GET",
    path: `${MAP_PATH}/values`,
    handle: handleKey(async ({ hives, hiveKey }) => parseValues((await readMap(hives, hiveKey)).values())),
  },
  {
    method: "PUT",
    path: MAP_PATH,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      writeMap(hives, hiveKey, parseInput(NamedValues, call.body)),
    ),
  },
  {
    method: "PUT",
    path: `${MAP_PATH}/set/:field`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { value } = parseInput(ValueBody, call.body);
      return (await writeMap(hives, hiveKey, Object.fromEntries([[fieldParam(call.params), value]]))) > 0;
    }),
  },
  {
    method: "PUT",
    path: `${MAP_PATH}/set-with-overwrite/:field`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { value, overwrite } = parseInput(SetFieldBody, call.body);
      if (!(overwrite ?? true)) return addToMap(hives, hiveKey, fieldParam(call.params), value);
      await writeMap(hives, hiveKey, Object.fromEntries([[fieldParam(call.params), value]]));
      return true;
    }),
  },
  {
    method: "PUT",
    path: `${MAP_PATH}/increment/:field`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      addToMapField(hives, hiveKey, fieldParam(call.params), parseInput(StepParam, call.query).count),
    ),
  },
  {
    method: "PUT",
    path: `${MAP_PATH}/decrement/:field`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      addToMapField(hives, hiveKey, fieldParam(call.params), -parseInput(StepParam, call.query).count),
    ),
  },
  {
    method: "DELETE",
    path: `${MAP_PATH}/by-obj-keys`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      removeFromMap(hives, hiveKey, parseInput(EntryNames, call.body)),
    ),
  },
];
