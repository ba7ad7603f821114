import type { FlowField, FlowItemKind } from "./flow-words.ts";

/** Input of a field: `yes` is a yes/no choice, `choice` an action on a record. */
export type Field = {
  name: FlowField;
  type: "line" | "text" | "number" | "json" | "object" | "yes" | "choice" | "events";
  needed?: true;
};
const line = (name: FlowField, needed?: true): Field => ({ name, type: "line", ...(needed && { needed }) });
const text = (name: FlowField, needed?: true): Field => ({ ...line(name, needed), type: "text" });
const retries: Field = { name: "retries", type: "number" };

const TRIGGER_KINDS = ["call", "table", "schedule", "channel"];
const STEP_KINDS = ["set", "condition", "loop", "wait", "record", "call", "message", "mail"];
export const RECORD_ACTS = ["create", "update", "delete", "find"];
const trigger: Field[] = [line("name", true), { name: "starts", type: "yes" }];
const step = [line("name")];

/**
 * Fields of each kind of trigger and step, in the order of the form. Nested lists of steps are unaffected.
 */
export const FIELDS: Record<FlowItemKind, Field[]> = {
  call: [...trigger],
  table: [...trigger, line("table", true), { name: "events", type: "events" }, text("where")],
  schedule: [...trigger, line("at"), { name: "every", type: "number" }, line("cron")],
  channel: [...trigger, line("channel", true), text("selector")],
  set: [...step, line("as", true), { name: "value", type: "json", needed: true }],
  condition: [...step, text("if", true)],
  loop: [...step, { name: "over", type: "json", needed: true }, line("as", true)],
  wait: [...step, { name: "seconds", type: "number" }, line("for"), text("if"), line("as")],
  record: [
    ...step,
    { name: "act", type: "choice" },
    line("table", true),
    line("id"),
    { name: "values", type: "object" },
    text("where"),
    line("as"),
    retries,
  ],
  "call-service": [...step, line("service", true), line("method", true), { name: "input", type: "object" }, line("as"), retries],
  message: [...step, line("channel", true), { name: "message", type: "json", needed: true }, { name: "headers", type: "object" }, retries],
  mail: [...step, line("to", true), line("subject", true), text("text", true), retries],
};

/** Triggers and steps both have a kind `call`: forms distinguish them. */
export const formKindOf = (list: string, kind: string): FlowItemKind =>
  (list !== "triggers" && kind === "call" ? "call-service" : kind) as FlowItemKind;

/** Kinds that may be added to a list. */
export const kindsOf = (list: string): readonly string[] => (list === "triggers" ? TRIGGER_KINDS : STEP_KINDS);

/** The text of a field's value. */
export const textIn = (value: unknown, type: Field["type"]): string => {
  if (value === undefined || value === null) return "";
  if (type === "object" || (type === "json" && typeof value !== "string")) return JSON.stringify(value, null, 2);
  // A text that parses as JSON is quoted, so that it stays a text.
  if (type === "json" && isJson(value as string)) return JSON.stringify(value);
  return String(value);
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
