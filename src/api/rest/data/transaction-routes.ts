import { runUnitOfWork } from "#baas/data";
import { toTableCaller } from "./data-routes.ts";
import { describeRefusal } from "../errors.ts";
import type { Route } from "../rest-route.ts";

/** Ten times a hundred records in one body. */
const MAX_TRANSACTION_BODY = 20_000_000;

/** A transaction with a refused operation is answered normally, with the operation and its code. */
export const transactionRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/transaction/unit-of-work",
    most: MAX_TRANSACTION_BODY,
    async handle(call) {
      const outcome = await runUnitOfWork(call.app.tables, toTableCaller(call), call.body);
      if (outcome.success) return { success: true, error: null, results: outcome.results };
      const { message, code } = describeRefusal(outcome.refusal);
      return { success: false, results: null, error: { message, code, operation: outcome.operation } };
    },
  },
];
