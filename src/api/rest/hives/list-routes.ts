import {
  prependItems,
  appendItems,
  insertBeside,
  getListLength,
  readItem,
  readList,
  removeFromList,
  takeFirstItems,
  takeLastItems,
} from "#baas/hive";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { AnyJson, WholeNumber } from "../shapes.ts";
import { CountParam, IndexParam, parseValues, JsonValue, JsonValues, ValueList } from "./hive-params.ts";

const LIST_PATH = "/hive/:hive/list/:key";
const params = { hive: "garden", key: "to do" };
const RangeParams = z.object({ from: IndexParam.optional(), to: IndexParam.optional() });
const PositionParams = z.looseObject({ hive: z.string(), key: z.string(), index: IndexParam });
const InsertBody = z.object({ valueToInsert: JsonValue, anchorValue: JsonValue });
const DeleteBody = z.object({ value: JsonValue, count: z.int("must be a whole number").nullish() });

const insertEndpoint = (side: "before" | "after") =>
  defineEndpoint({
    method: "PUT",
    path: `${LIST_PATH}/insert-${side}`,
    summary: `Inserts \`valueToInsert\` ${side} the first \`anchorValue\`; returns the new length, or -1.`,
    body: InsertBody,
    response: WholeNumber,
    example: { params, body: { valueToInsert: "rake", anchorValue: "sow" } },
    handle: ({ app, params: { hive, key }, body: { valueToInsert: value, anchorValue: anchor } }) =>
      insertBeside(app.hives, { hive, key }, { value, anchor, side }),
  });

const addEndpoint = (end: "first" | "last") =>
  defineEndpoint({
    method: "PUT",
    path: `${LIST_PATH}/add-${end}`,
    summary: `Adds values at the ${end === "first" ? "beginning" : "end"}; returns the new length.`,
    body: JsonValues,
    response: WholeNumber,
    example: { params, body: ["water"] },
    handle: ({ app, params: { hive, key }, body }) =>
      (end === "first" ? prependItems : appendItems)(app.hives, { hive, key }, body),
  });

const takeEndpoint = (end: "first" | "last") =>
  defineEndpoint({
    method: "PUT",
    path: `${LIST_PATH}/get-${end}-and-delete`,
    summary: `Removes and returns \`count\` values from the ${end === "first" ? "beginning" : "end"}.`,
    query: CountParam,
    response: ValueList,
    example: { params, query: { count: "1" } },
    async handle({ app, params: { hive, key }, query }) {
      const take = end === "first" ? takeFirstItems : takeLastItems;
      return parseValues(await take(app.hives, { hive, key }, query.count));
    },
  });

export const listEndpoints = [
  defineEndpoint({
    method: "GET",
    path: LIST_PATH,
    summary: "Returns the items of a list, or those from index `from` to `to`.",
    query: RangeParams,
    response: ValueList,
    example: { params, query: { from: "0", to: "-1" } },
    handle: async ({ app, params: { hive, key }, query: { from, to } }) =>
      parseValues(await readList(app.hives, { hive, key }, from, to)),
  }),
  defineEndpoint({
    method: "GET",
    path: `${LIST_PATH}/length`,
    summary: "Returns the number of items.",
    response: WholeNumber,
    example: { params },
    handle: ({ app, params: { hive, key } }) => getListLength(app.hives, { hive, key }),
  }),
  defineEndpoint({
    method: "GET",
    path: `${LIST_PATH}/:index`,
    summary: "Returns the item at an index, counted from the end below 0, or null.",
    params: PositionParams,
    response: AnyJson,
    example: { params: { ...params, index: "-1" } },
    async handle({ app, params: { hive, key, index } }) {
      const text = await readItem(app.hives, { hive, key }, index);
      return text === null ? null : parseValues([text])[0];
    },
  }),
  insertEndpoint("before"),
  insertEndpoint("after"),
  defineEndpoint({
    method: "PUT",
    path: `${LIST_PATH}/delete-value`,
    summary:
      "Removes equal values: all, or `count` from the beginning, from the end if negative. Returns how many.",
    body: DeleteBody,
    response: WholeNumber,
    example: { params, body: { value: "dig", count: 1 } },
    handle: ({ app, params: { hive, key }, body: { value, count } }) =>
      removeFromList(app.hives, { hive, key }, value, count ?? 0),
  }),
  addEndpoint("first"),
  addEndpoint("last"),
  takeEndpoint("first"),
  takeEndpoint("last"),
];
