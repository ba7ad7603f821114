import {
  addToCounter,
  compareAndSet,
  type Counters,
  listCounters,
  readCounter,
  resetCounter,
} from "#baas/counters";
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { SerializedJson } from "./rest-route.ts";
import { NameList, WholeNumber } from "./shapes.ts";

const CounterValue = z.string("must be given once").meta({ description: "A whole number of 64 bits." });
const AmountParams = z.object({ value: CounterValue });
const CompareParams = z.object({ expected: CounterValue, updatedvalue: CounterValue });

const params = { name: "visits" };

/** Writes a counter as JSON with every digit; a JavaScript number would be exact only up to 53 bits. */
const sendExact = (value: bigint) => new SerializedJson(String(value));

type Answer = "after" | "before";
const toPath = (answer: Answer, change: string) => (answer === "after" ? `${change}/get` : `get/${change}`);

/** Adds to a counter and returns its value after the change, or before it. */
async function changeCounter(counters: Counters, name: string, by: bigint | string, answer: Answer) {
  const after = await addToCounter(counters, name, by);
  return sendExact(answer === "after" ? after : after - BigInt(by));
}

const stepEndpoint = (change: "increment" | "decrement", answer: Answer) =>
  defineEndpoint({
    method: "PUT",
    path: `/counters/:name/${toPath(answer, change)}`,
    summary: `${change === "increment" ? "Adds" : "Subtracts"} 1 and returns the value ${answer} the change.`,
    response: WholeNumber,
    example: { params },
    handle: ({ app, params: { name } }) =>
      changeCounter(app.counters, name, change === "increment" ? 1n : -1n, answer),
  });

const addEndpoint = (answer: Answer) =>
  defineEndpoint({
    method: "PUT",
    path: `/counters/:name/${toPath(answer, "incrementby")}`,
    summary: `Adds \`value\` and returns the value ${answer} the change.`,
    query: AmountParams,
    response: WholeNumber,
    example: { params, query: { value: "5" } },
    handle: ({ app, params: { name }, query }) => changeCounter(app.counters, name, query.value, answer),
  });

/** Endpoints for atomic counters, open to every caller. */
export const counterEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/counters/:name/list",
    summary: "Lists the names of counters, sorted; in `name`, `*` matches any text. At most 10 000.",
    response: NameList,
    example: { params: { name: "vis*" } },
    handle: ({ app, params: { name } }) => listCounters(app.counters, name),
  }),
  defineEndpoint({
    method: "GET",
    path: "/counters/:name",
    summary: "Returns the value of a counter; 0 if it does not exist.",
    response: WholeNumber,
    example: { params },
    handle: async ({ app, params: { name } }) => sendExact(await readCounter(app.counters, name)),
  }),
  stepEndpoint("increment", "after"),
  stepEndpoint("increment", "before"),
  stepEndpoint("decrement", "after"),
  stepEndpoint("decrement", "before"),
  addEndpoint("after"),
  addEndpoint("before"),
  defineEndpoint({
    method: "PUT",
    path: "/counters/:name/get/compareandset",
    summary:
      "Sets `updatedvalue` if the value is `expected`, and returns whether it was. The counter exists afterwards.",
    query: CompareParams,
    response: z.boolean(),
    example: { params, query: { expected: "0", updatedvalue: "100" } },
    handle: ({ app, params: { name }, query }) =>
      compareAndSet(app.counters, name, { expected: query.expected, update: query.updatedvalue }),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/counters/:name/reset",
    summary: "Sets a counter to 0.",
    example: { params },
    handle: ({ app, params: { name } }) => resetCounter(app.counters, name),
  }),
];
