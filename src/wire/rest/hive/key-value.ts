import { addToValue, atUnix, inSeconds, readValue, readValues, writeValue, writeValues } from "#backend/hive";
import { z } from "zod";
import { parsed } from "../parse.ts";
import { type Route, WrittenJson } from "../route.ts";
import { Amount, Named, Names, onStore, readNamed, Value } from "./store.ts";

const ALL = "/hive/:hive/key-value";
const ONE = `${ALL}/:key`;

const Written = z.object({
  value: Value,
  ttl: z.number("is a number of seconds").nullish(),
  expireAt: z.number("is a moment in seconds").nullish(),
  condition: z.enum(["IfExists", "IfNotExists", "Always"], "is IfExists, IfNotExists or Always").default("Always"),
});
const By = z.object({ value: Amount });

export const keyValueRoutes: Route[] = [
  {
    method: "POST",
    path: ALL,
    handle: onStore(async ({ hives, spot, call }) => readNamed(await readValues(hives, spot.hive, parsed(Names, call.body)))),
  },
  { method: "PUT", path: ALL, handle: onStore(async ({ hives, spot, call }) => writeValues(hives, spot.hive, parsed(Named, call.body))) },
  {
    method: "PUT",
    path: ONE,
    handle: onStore(async ({ hives, spot, call }) => {
      const { value, ttl, expireAt, condition } = parsed(Written, call.body);
      const until = typeof ttl === "number" ? inSeconds(hives, ttl) : typeof expireAt === "number" ? atUnix(expireAt) : null;
      return writeValue(hives, spot, { value, until, condition });
    }),
  },
  {
    method: "GET",
    path: ONE,
    handle: onStore(async ({ hives, spot }) => new WrittenJson((await readValue(hives, spot)) ?? "null")),
  },
  {
    method: "PUT",
    path: `${ONE}/increment`,
    handle: onStore(async ({ hives, spot, call }) => addToValue(hives, spot, parsed(By, call.query).value)),
  },
  {
    method: "PUT",
    path: `${ONE}/decrement`,
    handle: onStore(async ({ hives, spot, call }) => addToValue(hives, spot, -parsed(By, call.query).value)),
  },
];
