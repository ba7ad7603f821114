import type { Hives } from "#backend/hive";
import { z } from "zod";
import type { Call, Route } from "../route.ts";

/** Maximum names, values or entries per call. */
export const MOST = 10_000;

type Given = { hives: Hives; spot: { hive: string; key: string }; call: Call };

/** Handler for a call on a key. */
export const onStore =
  (work: (given: Given) => Promise<unknown>): Route["handle"] =>
  (call) =>
    work({ hives: call.house.hives, spot: { hive: call.params["hive"] ?? "", key: call.params["key"] ?? "" }, call });

export const few = `has at most ${MOST} entries`;

export const Names = z.array(z.string("is a text"), "is a list of names").max(MOST, few);
export const Value = z.unknown().refine((value) => value !== undefined && value !== null, "is any JSON but null");
export const Values = z.array(Value, "is a list of values").max(MOST, few);
export const Valued = z.object({ value: Value });
// Preserves names such as `__proto__`.
export const Named = z
  .record(z.string(), Value, "is an object of values")
  .refine((given) => Object.keys(given).length > 0, "has at least one name")
  .refine((given) => Object.keys(given).length <= MOST, few);

/** A number in the query string. */
export const Amount = z
  .string("is a number, said once")
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, "is a number")
  .transform(Number)
  .refine(Number.isFinite, "is a number");
const Whole = Amount.refine((it) => Number.isSafeInteger(it) && it >= 0, "is a whole number");
/** A position from the start, or, if negative, from the end. */
export const Index = Amount.refine(Number.isSafeInteger, "is a whole number");
export const Count = z.object({ count: Whole.refine((it) => it <= MOST, `is ${MOST} at the most`).default(1) });
export const Step = z.object({ count: Amount.default(1) });
export const Flag = z.enum(["true", "false"], "is true or false").transform((it) => it === "true");
export { Whole };

/** Parses stored JSON values. */
export const read = (texts: Iterable<string>): unknown[] => Array.from(texts, (text) => JSON.parse(text) as unknown);

/** Parses stored JSON values by name, whatever the names. */
export const readNamed = (texts: Map<string, string>): Record<string, unknown> =>
  Object.fromEntries(Array.from(texts, ([name, text]) => [name, JSON.parse(text) as unknown]));
