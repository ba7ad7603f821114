import type { DataContext, SqlFragment } from "../catalogue/types.ts";
import {
  type ByteBudget,
  canExceedAnswerSize,
  listReturnedColumns,
  runWithByteBudget,
} from "./answer-size.ts";
import type { SelectedProperty } from "./query-columns.ts";
import { runQuery, type SqlRow } from "./run-query.ts";

type ExpectedRows = { shown: SelectedProperty[]; beside: string[]; most: number };

/**
 * Runs a query that returns at most this many rows, and measures them if they could exceed the answer size.
 */
export const runRowLimitedQuery = <R extends SqlRow = SqlRow>(
  engine: DataContext,
  left: ByteBudget,
  query: SqlFragment,
  { shown, beside, most }: ExpectedRows,
): Promise<R[]> =>
  canExceedAnswerSize(
    shown.map(({ term }) => term),
    most,
  )
    ? runWithByteBudget<R>(engine, left, query, listReturnedColumns(shown, beside))
    : runQuery<R>(engine, query);
