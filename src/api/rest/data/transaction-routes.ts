import { runUnitOfWork, UnitInput } from "#baas/data";
import { z } from "zod";
import { defineEndpoint, parsedByHandler } from "../endpoint.ts";
import { describeRefusal } from "../errors.ts";
import { toTableCaller } from "./data-routes.ts";

/** Maximum bytes of a body, enough for ten operations of a hundred records. */
const MAX_TRANSACTION_BODY = 20_000_000;

const UnitOutcome = z
  .object({
    success: z.boolean(),
    error: z.looseObject({}).nullable(),
    results: z.looseObject({}).nullable(),
  })
  .meta({ id: "TransactionResult" });

const create = {
  operationType: "CREATE",
  table: "Beds",
  opResultId: "created",
  payload: { name: "South", area: 8 },
};

/**
 * Endpoints for transactions. If an operation is refused, the answer still has status 200 and contains the
 * operation and its error code.
 */
export const transactionEndpoints = [
  defineEndpoint({
    method: "POST",
    path: "/transaction/unit-of-work",
    summary: "Runs several operations in one transaction. Answers 200 whether or not it succeeds.",
    most: MAX_TRANSACTION_BODY,
    body: parsedByHandler(UnitInput),
    response: UnitOutcome,
    example: { body: { isolationLevelEnum: "REPEATABLE_READ", operations: [create] } },
    async handle(call) {
      const outcome = await runUnitOfWork(call.app.tables, toTableCaller(call), call.body);
      if (outcome.success) return { success: true, error: null, results: outcome.results };
      const { message, code } = describeRefusal(outcome.refusal);
      return { success: false, results: null, error: { message, code, operation: outcome.operation } };
    },
  }),
];
