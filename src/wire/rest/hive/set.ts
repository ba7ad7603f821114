import { addToSet, areInSet, combineSets, randomOfSet, readSet, removeFromSet, setLength, takeRandomOfSet } from "#backend/hive";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { Count, Names, onStore, read, Values } from "./store.ts";

const ALL = "/hive/:hive/set";
const ONE = `${ALL}/:key`;

const combining = (how: Parameters<typeof combineSets>[2]): Route => ({
  method: "POST",
  path: `${ALL}/action/${how}`,
  handle: onStore(async ({ hives, spot: { hive }, call }) =>
    read(await combineSets(hives, { hive, kind: "set" }, how, parsed(Names, call.body))),
  ),
});

export const setRoutes: Route[] = [
  combining("difference"),
  combining("intersection"),
  combining("union"),
  { method: "GET", path: ONE, handle: onStore(async ({ hives, spot }) => read(await readSet(hives, spot))) },
  {
    method: "GET",
    path: `${ONE}/random`,
    handle: onStore(async ({ hives, spot, call }) => read(await randomOfSet(hives, spot, parsed(Count, call.query).count))),
  },
  {
    method: "PUT",
    path: `${ONE}/random`,
    handle: onStore(async ({ hives, spot, call }) => read(await takeRandomOfSet(hives, spot, parsed(Count, call.query).count))),
  },
  { method: "PUT", path: `${ONE}/add`, handle: onStore(async ({ hives, spot, call }) => addToSet(hives, spot, parsed(Values, call.body))) },
  {
    method: "DELETE",
    path: `${ONE}/values`,
    handle: onStore(async ({ hives, spot, call }) => removeFromSet(hives, spot, parsed(Values, call.body))),
  },
  {
    method: "POST",
    path: `${ONE}/contains`,
    handle: onStore(async ({ hives, spot, call }) => areInSet(hives, spot, parsed(Values, call.body))),
  },
  { method: "GET", path: `${ONE}/length`, handle: onStore(({ hives, spot }) => setLength(hives, spot)) },
];
