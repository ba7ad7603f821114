import {
  addToCounter,
  compareAndSet,
  type Counters,
  listCounters,
  readCounter,
  resetCounter,
} from "#baas/counters";
import { Refusal } from "#platform/refusal";
import { type Call, type Route, WrittenJson } from "./rest-route.ts";

type CounterCall = { counters: Counters; name: string; call: Call };

const handleCounter =
  (work: (given: CounterCall) => Promise<unknown>): Route["handle"] =>
  (call) =>
    work({ counters: call.app.counters, name: call.params["name"] ?? "", call });

/** A single query value. */
function queryValue({ query }: Call, name: string): string {
  const value = query[name];
  if (typeof value !== "string") throw new Refusal("invalid", `The query must contain '${name}' once.`);
  return value;
}

/** JSON with every digit: numbers here are exact only up to 53 bits. */
const sendExact = (value: bigint) => new WrittenJson(String(value));

/** Changes a counter by the given number or by one; answers with the value after or before. */
const changeCounter = (by: bigint | null, answer: "after" | "before") =>
  handleCounter(async ({ counters, name, call }) => {
    const after = await addToCounter(counters, name, by ?? queryValue(call, "value"));
    return sendExact(answer === "after" ? after : after - (by ?? BigInt(queryValue(call, "value"))));
  });

const putRoute = (path: string, handle: Route["handle"]): Route => ({
  method: "PUT",
  path: `/counters/:name/${path}`,
  handle,
});

/** Atomic counters, open to every caller. */
export const counterRoutes: Route[] = [
  {
    method: "GET",
    path: "/counters/:name/list",
    handle: handleCounter(({ counters, name }) => listCounters(counters, name)),
  },
  {
    method: "GET",
    path: "/counters/:name",
    handle: handleCounter(async ({ counters, name }) => sendExact(await readCounter(counters, name))),
  },
  putRoute("increment/get", changeCounter(1n, "after")),
  putRoute("get/increment", changeCounter(1n, "before")),
  putRoute("decrement/get", changeCounter(-1n, "after")),
  putRoute("get/decrement", changeCounter(-1n, "before")),
  putRoute("incrementby/get", changeCounter(null, "after")),
  putRoute("get/incrementby", changeCounter(null, "before")),
  putRoute(
    "get/compareandset",
    handleCounter(({ counters, name, call }) =>
      compareAndSet(counters, name, {
        expected: queryValue(call, "expected"),
        update: queryValue(call, "updatedvalue"),
      }),
    ),
  ),
  putRoute(
    "reset",
    handleCounter(({ counters, name }) => resetCounter(counters, name)),
  ),
];
