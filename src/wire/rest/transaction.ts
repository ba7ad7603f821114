import { runUnit } from "#backend/tables";
import { asTableCaller } from "./data.ts";
import { toldOf } from "./errors.ts";
import type { Route } from "./route.ts";

/** Ten times a hundred records in one body. */
const MANY = 20_000_000;

/** A transaction with a refused operation is answered normally, with the operation and its code. */
export const transactionRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/transaction/unit-of-work",
    most: MANY,
    async handle(call) {
      const outcome = await runUnit(call.house.tables, asTableCaller(call), call.body);
      if (outcome.success) return { success: true, error: null, results: outcome.results };
      const { message, code } = toldOf(outcome.refusal);
      return { success: false, results: null, error: { message, code, operation: outcome.operation } };
    },
  },
];
