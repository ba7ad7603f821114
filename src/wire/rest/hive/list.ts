import { addFirst, addLast, insertBeside, listLength, readItem, readList, removeFromList, takeFirst, takeLast } from "#backend/hive";
import { z } from "zod";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { Count, Index, onStore, read, Value, Values } from "./store.ts";

const ONE = "/hive/:hive/list/:key";
const Range = z.object({ from: Index.optional(), to: Index.optional() });
const One = z.object({ index: Index });
const Beside = z.object({ valueToInsert: Value, anchorValue: Value });
const Removed = z.object({ value: Value, count: z.int("is a whole number").nullish() });

const inserting = (side: "before" | "after"): Route => ({
  method: "PUT",
  path: `${ONE}/insert-${side}`,
  handle: onStore(async ({ hives, spot, call }) => {
    const { valueToInsert, anchorValue } = parsed(Beside, call.body);
    return insertBeside(hives, spot, { value: valueToInsert, anchor: anchorValue, side });
  }),
});

export const listRoutes: Route[] = [
  {
    method: "GET",
    path: ONE,
    handle: onStore(async ({ hives, spot, call }) => {
      const { from, to } = parsed(Range, call.query);
      return read(await readList(hives, spot, from, to));
    }),
  },
  { method: "GET", path: `${ONE}/length`, handle: onStore(({ hives, spot }) => listLength(hives, spot)) },
  {
    method: "GET",
    path: `${ONE}/:index`,
    handle: onStore(async ({ hives, spot, call }) => {
      const text = await readItem(hives, spot, parsed(One, call.params).index);
      return text === null ? null : read([text])[0];
    }),
  },
  inserting("before"),
  inserting("after"),
  {
    method: "PUT",
    path: `${ONE}/delete-value`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { value, count } = parsed(Removed, call.body);
      return removeFromList(hives, spot, value, count ?? 0);
    }),
  },
  {
    method: "PUT",
    path: `${ONE}/add-first`,
    handle: onStore(async ({ hives, spot, call }) => addFirst(hives, spot, parsed(Values, call.body))),
  },
  {
    method: "PUT",
    path: `${ONE}/add-last`,
    handle: onStore(async ({ hives, spot, call }) => addLast(hives, spot, parsed(Values, call.body))),
  },
  {
    method: "PUT",
    path: `${ONE}/get-first-and-delete`,
    handle: onStore(async ({ hives, spot, call }) => read(await takeFirst(hives, spot, parsed(Count, call.query).count))),
  },
  {
    method: "PUT",
    path: `${ONE}/get-last-and-delete`,
    handle: onStore(async ({ hives, spot, call }) => read(await takeLast(hives, spot, parsed(Count, call.query).count))),
  },
];
