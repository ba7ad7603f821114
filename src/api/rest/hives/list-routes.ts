import {
  prependItems,
  appendItems,
  insertBeside,
  listLength,
  readItem,
  readList,
  removeFromList,
  takeFirstItems,
  takeLastItems,
} from "#baas/hive";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";
import { CountParam, IndexParam, handleKey, parseValues, JsonValue, JsonValues } from "./hive-params.ts";

const LIST_PATH = "/hive/:hive/list/:key";
const RangeParams = z.object({ from: IndexParam.optional(), to: IndexParam.optional() });
const PositionParams = z.object({ index: IndexParam });
const InsertBody = z.object({ valueToInsert: JsonValue, anchorValue: JsonValue });
const DeleteBody = z.object({ value: JsonValue, count: z.int("must be a whole number").nullish() });

const insertRoute = (side: "before" | "after"): Route => ({
  method: "PUT",
  path: `${LIST_PATH}/insert-${side}`,
  handle: handleKey(async ({ hives, hiveKey, call }) => {
    const { valueToInsert, anchorValue } = parseInput(InsertBody, call.body);
    return insertBeside(hives, hiveKey, { value: valueToInsert, anchor: anchorValue, side });
  }),
});

export const listRoutes: Route[] = [
  {
    method: "GET",
    path: LIST_PATH,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { from, to } = parseInput(RangeParams, call.query);
      return parseValues(await readList(hives, hiveKey, from, to));
    }),
  },
  {
    method: "GET",
    path: `${LIST_PATH}/length`,
    handle: handleKey(({ hives, hiveKey }) => listLength(hives, hiveKey)),
  },
  {
    method: "GET",
    path: `${LIST_PATH}/:index`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const text = await readItem(hives, hiveKey, parseInput(PositionParams, call.params).index);
      return text === null ? null : parseValues([text])[0];
    }),
  },
  insertRoute("before"),
  insertRoute("after"),
  {
    method: "PUT",
    path: `${LIST_PATH}/delete-value`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { value, count } = parseInput(DeleteBody, call.body);
      return removeFromList(hives, hiveKey, value, count ?? 0);
    }),
  },
  {
    method: "PUT",
    path: `${LIST_PATH}/add-first`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      prependItems(hives, hiveKey, parseInput(JsonValues, call.body)),
    ),
  },
  {
    method: "PUT",
    path: `${LIST_PATH}/add-last`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      appendItems(hives, hiveKey, parseInput(JsonValues, call.body)),
    ),
  },
  {
    method: "PUT",
    path: `${LIST_PATH}/get-first-and-delete`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      parseValues(await takeFirstItems(hives, hiveKey, parseInput(CountParam, call.query).count)),
    ),
  },
  {
    method: "PUT",
    path: `${LIST_PATH}/get-last-and-delete`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      parseValues(await takeLastItems(hives, hiveKey, parseInput(CountParam, call.query).count)),
    ),
  },
];
