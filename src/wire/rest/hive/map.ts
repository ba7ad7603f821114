import { addToField, addToMap, mapLength, readMap, removeFromMap, writeMap } from "#backend/hive";
import { z } from "zod";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { Named, Names, onStore, read, readNamed, Step, Value, Valued } from "./store.ts";

const ONE = "/hive/:hive/map/:key";
const field = (params: Record<string, string>) => params["field"] ?? "";
const Written = z.object({ value: Value, overwrite: z.boolean("is true or false").nullish() });

export const mapRoutes: Route[] = [
  {
    method: "POST",
    path: ONE,
    handle: onStore(async ({ hives, spot, call }) => {
      const fields = parsed(Names, call.body ?? []);
      return readNamed(await readMap(hives, spot, fields.length > 0 ? fields : undefined));
    }),
  },
  {
    method: "GET",
    path: `${ONE}/get/:field`,
    handle: onStore(async ({ hives, spot, call: { params } }) => read((await readMap(hives, spot, [field(params)])).values())[0] ?? null),
  },
  {
    method: "GET",
    path: `${ONE}/exists/:field`,
    handle: onStore(async ({ hives, spot, call: { params } }) => (await readMap(hives, spot, [field(params)])).size > 0),
  },
  { method: "GET", path: `${ONE}/length`, handle: onStore(({ hives, spot }) => mapLength(hives, spot)) },
  { method: "GET", path: `${ONE}/keys`, handle: onStore(async ({ hives, spot }) => [...(await readMap(hives, spot)).keys()]) },
  { method: "GET", path: `${ONE}/values`, handle: onStore(async ({ hives, spot }) => read((await readMap(hives, spot)).values())) },
  { method: "PUT", path: ONE, handle: onStore(async ({ hives, spot, call }) => writeMap(hives, spot, parsed(Named, call.body))) },
  {
    method: "PUT",
    path: `${ONE}/set/:field`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { value } = parsed(Valued, call.body);
      return (await writeMap(hives, spot, Object.fromEntries([[field(call.params), value]]))) > 0;
    }),
  },
  {
    method: "PUT",
    path: `${ONE}/set-with-overwrite/:field`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { value, overwrite } = parsed(Written, call.body);
      if (!(overwrite ?? true)) return addToMap(hives, spot, field(call.params), value);
      await writeMap(hives, spot, Object.fromEntries([[field(call.params), value]]));
      return true;
    }),
  },
  {
    method: "PUT",
    path: `${ONE}/increment/:field`,
    handle: onStore(async ({ hives, spot, call }) => addToField(hives, spot, field(call.params), parsed(Step, call.query).count)),
  },
  {
    method: "PUT",
    path: `${ONE}/decrement/:field`,
    handle: onStore(async ({ hives, spot, call }) => addToField(hives, spot, field(call.params), -parsed(Step, call.query).count)),
  },
  {
    method: "DELETE",
    path: `${ONE}/by-obj-keys`,
    handle: onStore(async ({ hives, spot, call }) => removeFromMap(hives, spot, parsed(Names, call.body))),
  },
];
