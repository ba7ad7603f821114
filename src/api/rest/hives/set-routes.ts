import {
  addToSet,
  checkInSet,
  combineSets,
  getRandomFromSet,
  readSet,
  removeFromSet,
  getSetLength,
  type StoreKind,
  takeRandomFromSet,
} from "#baas/hive";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { WholeNumber } from "../shapes.ts";
import { CountParam, EntryNames, parseValues, JsonValues, ValueList } from "./hive-params.ts";

const SET_PATH = "/hive/:hive/set/:key";
const params = { hive: "garden", key: "tools" };

const COMBINATIONS = {
  difference: "Returns the values of the first set that are in no other.",
  intersection: "Returns the values that are in all of the sets.",
  union: "Returns the values that are in any of the sets.",
};

/** Creates the endpoints that combine several sets, or several sorted sets. */
export const createSetOperationEndpoints = (kind: Extract<StoreKind, "set" | "sorted-set">, key: string) =>
  (["difference", "intersection", "union"] as const).map((how) =>
    defineEndpoint({
      method: "POST",
      path: `/hive/:hive/${kind}/action/${how}`,
      summary: COMBINATIONS[how],
      body: EntryNames,
      response: ValueList,
      example: { params: { hive: "garden" }, body: [key] },
      handle: async (call) =>
        parseValues(await combineSets(call.app.hives, { hive: call.params.hive, kind }, how, call.body)),
    }),
  );

export const setEndpoints = [
  ...createSetOperationEndpoints("set", "tools"),
  defineEndpoint({
    method: "GET",
    path: SET_PATH,
    summary: "Returns the values of a set.",
    response: ValueList,
    example: { params },
    handle: async ({ app, params: { hive, key } }) => parseValues(await readSet(app.hives, { hive, key })),
  }),
  defineEndpoint({
    method: "GET",
    path: `${SET_PATH}/random`,
    summary: "Returns `count` random values.",
    query: CountParam,
    response: ValueList,
    example: { params, query: { count: "1" } },
    handle: async ({ app, params: { hive, key }, query }) =>
      parseValues(await getRandomFromSet(app.hives, { hive, key }, query.count)),
  }),
  defineEndpoint({
    method: "PUT",
    path: `${SET_PATH}/random`,
    summary: "Removes and returns `count` random values.",
    query: CountParam,
    response: ValueList,
    example: { params, query: { count: "1" } },
    handle: async ({ app, params: { hive, key }, query }) =>
      parseValues(await takeRandomFromSet(app.hives, { hive, key }, query.count)),
  }),
  defineEndpoint({
    method: "PUT",
    path: `${SET_PATH}/add`,
    summary: "Adds values; returns how many are new.",
    body: JsonValues,
    response: WholeNumber,
    example: { params, body: ["hoe"] },
    handle: ({ app, params: { hive, key }, body }) => addToSet(app.hives, { hive, key }, body),
  }),
  defineEndpoint({
    method: "DELETE",
    path: `${SET_PATH}/values`,
    summary: "Removes values and returns how many.",
    body: JsonValues,
    response: WholeNumber,
    example: { params, body: ["rake"] },
    handle: ({ app, params: { hive, key }, body }) => removeFromSet(app.hives, { hive, key }, body),
  }),
  defineEndpoint({
    method: "POST",
    path: `${SET_PATH}/contains`,
    summary: "Returns for each value whether it is in the set.",
    body: JsonValues,
    response: z.array(z.boolean()),
    example: { params, body: ["rake", "hoe"] },
    handle: ({ app, params: { hive, key }, body }) => checkInSet(app.hives, { hive, key }, body),
  }),
  defineEndpoint({
    method: "GET",
    path: `${SET_PATH}/length`,
    summary: "Returns the number of values.",
    response: WholeNumber,
    example: { params },
    handle: ({ app, params: { hive, key } }) => getSetLength(app.hives, { hive, key }),
  }),
];
