import { addToMapField, addToMap, getMapLength, readMap, removeFromMap, writeMap } from "#baas/hive";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { AnyJson, NamedJson, NameList, WholeNumber } from "../shapes.ts";
import {
  NamedValues,
  EntryNames,
  parseValues,
  parseNamedValues,
  StepParam,
  JsonValue,
  ValueBody,
  ValueList,
} from "./hive-params.ts";

const MAP_PATH = "/hive/:hive/map/:key";
const params = { hive: "garden", key: "beds" };
const fieldParams = { ...params, field: "north" };
const SetFieldBody = z.object({ value: JsonValue, overwrite: z.boolean("must be true or false").nullish() });
/** Names of fields; an empty list or no body means all fields. */
const FieldNames = z.preprocess((body) => body ?? [], EntryNames);

/** Preserves field names such as `__proto__`. */
const toField = (field: string, value: unknown) => Object.fromEntries([[field, value]]);

const addEndpoint = (change: "increment" | "decrement") =>
  defineEndpoint({
    method: "PUT",
    path: `${MAP_PATH}/${change}/:field`,
    summary: `${change === "increment" ? "Adds" : "Subtracts"} \`count\` and returns the new value.`,
    query: StepParam,
    response: z.number(),
    example: { params: { ...params, field: "planted" }, query: { count: "2" } },
    handle: ({ app, params: { hive, key, field }, query: { count } }) =>
      addToMapField(app.hives, { hive, key }, field, change === "increment" ? count : -count),
  });

export const mapEndpoints = [
  defineEndpoint({
    method: "POST",
    path: MAP_PATH,
    summary: "Returns the given fields of a map, or all.",
    body: FieldNames,
    response: NamedJson,
    example: { params, body: ["north"] },
    async handle({ app, params: { hive, key }, body: fields }) {
      const wanted = fields.length > 0 ? fields : undefined;
      return parseNamedValues(await readMap(app.hives, { hive, key }, wanted));
    },
  }),
  defineEndpoint({
    method: "GET",
    path: `${MAP_PATH}/get/:field`,
    summary: "Returns the value of a field, or null.",
    response: AnyJson,
    example: { params: fieldParams },
    handle: async ({ app, params: { hive, key, field } }) =>
      parseValues((await readMap(app.hives, { hive, key }, [field])).values())[0] ?? null,
  }),
  defineEndpoint({
    method: "GET",
    path: `${MAP_PATH}/exists/:field`,
    summary: "Returns whether a field exists.",
    response: z.boolean(),
    example: { params: fieldParams },
    handle: async ({ app, params: { hive, key, field } }) =>
      (await readMap(app.hives, { hive, key }, [field])).size > 0,
  }),
  defineEndpoint({
    method: "GET",
    path: `${MAP_PATH}/length`,
    summary: "Returns the number of fields.",
    response: WholeNumber,
    example: { params },
    handle: ({ app, params: { hive, key } }) => getMapLength(app.hives, { hive, key }),
  }),
  defineEndpoint({
    method: "GET",
    path: `${MAP_PATH}/keys`,
    summary: "Returns the names of the fields.",
    response: NameList,
    example: { params },
    handle: async ({ app, params: { hive, key } }) => [...(await readMap(app.hives, { hive, key })).keys()],
  }),
  defineEndpoint({
    method: "GET",
    path: `${MAP_PATH}/values`,
    summary: "Returns the values of the fields.",
    response: ValueList,
    example: { params },
    handle: async ({ app, params: { hive, key } }) =>
      parseValues((await readMap(app.hives, { hive, key })).values()),
  }),
  defineEndpoint({
    method: "PUT",
    path: MAP_PATH,
    summary: "Sets fields; returns how many are new.",
    body: NamedValues,
    response: WholeNumber,
    example: { params, body: { north: ["beans"], south: ["peas"] } },
    handle: ({ app, params: { hive, key }, body }) => writeMap(app.hives, { hive, key }, body),
  }),
  defineEndpoint({
    method: "PUT",
    path: `${MAP_PATH}/set/:field`,
    summary: "Sets a field; returns whether it is new.",
    body: ValueBody,
    response: z.boolean(),
    example: { params: fieldParams, body: { value: ["beans"] } },
    handle: async ({ app, params: { hive, key, field }, body: { value } }) =>
      (await writeMap(app.hives, { hive, key }, toField(field, value))) > 0,
  }),
  defineEndpoint({
    method: "PUT",
    path: `${MAP_PATH}/set-with-overwrite/:field`,
    summary: "Sets a field, with `overwrite: false` only if it does not exist; returns whether it did.",
    body: SetFieldBody,
    response: z.boolean(),
    example: { params: fieldParams, body: { value: ["beans"], overwrite: false } },
    async handle({ app, params: { hive, key, field }, body: { value, overwrite } }) {
      if (!(overwrite ?? true)) return addToMap(app.hives, { hive, key }, field, value);
      await writeMap(app.hives, { hive, key }, toField(field, value));
      return true;
    },
  }),
  addEndpoint("increment"),
  addEndpoint("decrement"),
  defineEndpoint({
    method: "DELETE",
    path: `${MAP_PATH}/by-obj-keys`,
    summary: "Removes fields and returns how many.",
    body: EntryNames,
    response: WholeNumber,
    example: { params, body: ["north"] },
    handle: ({ app, params: { hive, key }, body }) => removeFromMap(app.hives, { hive, key }, body),
  }),
];
