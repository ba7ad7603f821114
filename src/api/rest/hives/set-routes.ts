import {
  addToSet,
  checkInSet,
  combineSets,
  getRandomFromSet,
  readSet,
  removeFromSet,
  setLength,
  takeRandomFromSet,
} from "#baas/hive";
import { parseInput } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";
import { CountParam, EntryNames, handleKey, parseValues, JsonValues } from "./hive-params.ts";

const STORE_PATH = "/hive/:hive/set";
const SET_PATH = `${STORE_PATH}/:key`;

const combineRoute = (how: Parameters<typeof combineSets>[2]): Route => ({
  method: "POST",
  path: `${STORE_PATH}/action/${how}`,
  handle: handleKey(async ({ hives, hiveKey: { hive }, call }) =>
    parseValues(await combineSets(hives, { hive, kind: "set" }, how, parseInput(EntryNames, call.body))),
  ),
});

export const setRoutes: Route[] = [
  combineRoute("difference"),
  combineRoute("intersection"),
  combineRoute("union"),
  {
    method: "GET",
    path: SET_PATH,
    handle: handleKey(async ({ hives, hiveKey }) => parseValues(await readSet(hives, hiveKey))),
  },
  {
    method: "GET",
    path: `${SET_PATH}/random`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      parseValues(await getRandomFromSet(hives, hiveKey, parseInput(CountParam, call.query).count)),
    ),
  },
  {
    method: "PUT",
    path: `${SET_PATH}/random`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      parseValues(await takeRandomFromSet(hives, hiveKey, parseInput(CountParam, call.query).count)),
    ),
  },
  {
    method: "PUT",
    path: `${SET_PATH}/add`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      addToSet(hives, hiveKey, parseInput(JsonValues, call.body)),
    ),
  },
  {
    method: "DELETE",
    path: `${SET_PATH}/values`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      removeFromSet(hives, hiveKey, parseInput(JsonValues, call.body)),
    ),
  },
  {
    method: "POST",
    path: `${SET_PATH}/contains`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      checkInSet(hives, hiveKey, parseInput(JsonValues, call.body)),
    ),
  },
  {
    method: "GET",
    path: `${SET_PATH}/length`,
    handle: handleKey(({ hives, hiveKey }) => setLength(hives, hiveKey)),
  },
];
