import { addTo, compareAndSet, type Counters, listCounters, readCounter, resetCounter } from "#backend/counters";
import { Refusal } from "#platform/refusal";
import { type Call, type Route, WrittenJson } from "./route.ts";

type Given = { counters: Counters; name: string; call: Call };

const onCounter =
  (work: (given: Given) => Promise<unknown>): Route["handle"] =>
  (call) =>
    work({ counters: call.house.counters, name: call.params["name"] ?? "", call });

/** A single query value. */
function valueOf({ query }: Call, name: string): string {
  const value = query[name];
  if (typeof value !== "string") throw new Refusal("invalid", `The query says once what '${name}' is.`);
  return value;
}

/** JSON with every digit: numbers here are exact only up to 53 bits. */
const exact = (value: bigint) => new WrittenJson(String(value));

/** Changes a counter by the given number or by one; answers with the value after or before. */
const changing = (by: bigint | null, answer: "after" | "before") =>
  onCounter(async ({ counters, name, call }) => {
    const after = await addTo(counters, name, by ?? valueOf(call, "value"));
    return exact(answer === "after" ? after : after - (by ?? BigInt(valueOf(call, "value"))));
  });

const put = (path: string, handle: Route["handle"]): Route => ({ method: "PUT", path: `/counters/:name/${path}`, handle });

/** Atomic counters, open to every caller. */
export const counterRoutes: Route[] = [
  { method: "GET", path: "/counters/:name/list", handle: onCounter(({ counters, name }) => listCounters(counters, name)) },
  {
    method: "GET",
    path: "/counters/:name",
    handle: onCounter(async ({ counters, name }) => exact(await readCounter(counters, name))),
  },
  put("increment/get", changing(1n, "after")),
  put("get/increment", changing(1n, "before")),
  put("decrement/get", changing(-1n, "after")),
  put("get/decrement", changing(-1n, "before")),
  put("incrementby/get", changing(null, "after")),
  put("get/incrementby", changing(null, "before")),
  put(
    "get/compareandset",
    onCounter(({ counters, name, call }) =>
      compareAndSet(counters, name, { expected: valueOf(call, "expected"), update: valueOf(call, "updatedvalue") }),
    ),
  ),
  put(
    "reset",
    onCounter(({ counters, name }) => resetCounter(counters, name)),
  ),
];
