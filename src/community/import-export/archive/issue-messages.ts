import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Matches default messages of Zod, used for fields that define no message of their own. */
const LIBRARY_MESSAGE = /^(?:Invalid|Too (?:small|big)|Unrecognized|Expected)/;

const TYPE_MESSAGES: Record<string, string> = {
  string: "not a text",
  number: "not a number",
  int: "not a number",
  boolean: "neither true nor false",
  array: "not a list",
};

/** The problem with a record's field, as the end of a sentence that starts with the field's name. */
export function describeIssue(issue: Issue, record: unknown): string {
  if (!LIBRARY_MESSAGE.test(issue.message)) return issue.message;
  if (readValueAt(record, issue.path) === undefined) return "is missing";
  if (issue.code === "invalid_union" && "discriminator" in issue) return "is unknown";
  if (issue.code === "invalid_value")
    return `is not one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (issue.code === "invalid_type") return `is ${TYPE_MESSAGES[issue.expected] ?? "not valid"}`;
  if (issue.code === "too_small") return "is too small";
  if (issue.code === "too_big") return "is too large";
  return "is not valid";
}

const readValueAt = (record: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (it, key) => (typeof it === "object" && it !== null ? Reflect.get(it, key) : undefined),
    record,
  );
