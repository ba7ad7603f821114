import { z } from "zod";

/** Maximum names, values or entries per call. */
export const MAX_ENTRIES = 10_000;

export const TOO_MANY_ENTRIES = `can have at most ${MAX_ENTRIES} entries`;

export const EntryNames = z
  .array(z.string("must be a string"), "must be a list of names")
  .max(MAX_ENTRIES, TOO_MANY_ENTRIES);
export const JsonValue = z
  .unknown()
  .refine((value) => value !== undefined && value !== null, "must be JSON other than null");
export const JsonValues = z.array(JsonValue, "must be a list of values").max(MAX_ENTRIES, TOO_MANY_ENTRIES);
export const ValueBody = z.object({ value: JsonValue });
// Values by name; preserves names such as `__proto__`.
export const NamedValues = z
  .record(z.string(), JsonValue, "must be an object of values")
  .refine((input) => Object.keys(input).length > 0, "must have at least one name")
  .refine((input) => Object.keys(input).length <= MAX_ENTRIES, TOO_MANY_ENTRIES);

/** A number in the query string. */
export const NumberParam = z
  .string("must be a number, given once")
  .regex(/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, "must be a number")
  .transform(Number)
  .refine(Number.isFinite, "must be a number");
const IntegerParam = NumberParam.refine(
  (it) => Number.isSafeInteger(it) && it >= 0,
  "must be a whole number",
);
/** A position from the start, or, if negative, from the end. */
export const IndexParam = NumberParam.refine(Number.isSafeInteger, "must be a whole number");
export const CountParam = z.object({
  count: IntegerParam.refine((it) => it <= MAX_ENTRIES, `can be at most ${MAX_ENTRIES}`).default(1),
});
export const StepParam = z.object({ count: NumberParam.default(1) });
/** Answer that is a list of stored values. */
export const ValueList = z.array(z.unknown()).meta({ description: "Any JSON except null." });
export const ScoredValues = z
  .array(z.tuple([z.number(), z.unknown()]))
  .meta({ description: "Scores with values." });

export const FlagParam = z.enum(["true", "false"], "must be true or false").transform((it) => it === "true");
export { IntegerParam };

/** Parses stored JSON values. */
export const parseValues = (texts: Iterable<string>): unknown[] =>
  Array.from(texts, (text) => JSON.parse(text) as unknown);

/** Parses stored JSON values by name, whatever the names. */
export const parseNamedValues = (texts: Map<string, string>): Record<string, unknown> =>
  Object.fromEntries(Array.from(texts, ([name, text]) => [name, JSON.parse(text) as unknown]));
