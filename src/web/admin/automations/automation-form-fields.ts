import { isKeyOf } from "#platform/objects";
import type { AutomationField, AutomationItemKind } from "./automation-labels.ts";

/** Field with its type of form control: `yes` is a yes/no choice, `choice` chooses an action on a record. */
export type Field = {
  name: AutomationField;
  type: "line" | "text" | "number" | "json" | "object" | "yes" | "choice" | "events";
  needed?: true;
};
const lineField = (name: AutomationField, needed?: true): Field => ({
  name,
  type: "line",
  ...(needed && { needed }),
});
const textField = (name: AutomationField, needed?: true): Field => ({
  ...lineField(name, needed),
  type: "text",
});
const retries: Field = { name: "retries", type: "number" };

const TRIGGER_KINDS = ["call", "table", "schedule", "channel"];
const STEP_KINDS = ["set", "condition", "loop", "wait", "record", "call", "message", "mail"];
export const RECORD_ACTIONS = ["create", "update", "delete", "find"];
const triggerFields: Field[] = [lineField("name", true), { name: "starts", type: "yes" }];
const stepFields = [lineField("name")];

/**
 * Fields of each kind of trigger and step, in the order of the form. Nested lists of steps are edited
 * separately.
 */
export const ITEM_FIELDS: Record<AutomationItemKind, Field[]> = {
  call: [...triggerFields],
  table: [...triggerFields, lineField("table", true), { name: "events", type: "events" }, textField("where")],
  schedule: [...triggerFields, lineField("at"), { name: "every", type: "number" }, lineField("cron")],
  channel: [...triggerFields, lineField("channel", true), textField("selector")],
  set: [...stepFields, lineField("as", true), { name: "value", type: "json", needed: true }],
  condition: [...stepFields, textField("if", true)],
  loop: [...stepFields, { name: "over", type: "json", needed: true }, lineField("as", true)],
  wait: [
    ...stepFields,
    { name: "seconds", type: "number" },
    lineField("for"),
    textField("if"),
    lineField("as"),
  ],
  record: [
    ...stepFields,
    { name: "act", type: "choice" },
    lineField("table", true),
    lineField("id"),
    { name: "values", type: "object" },
    textField("where"),
    lineField("as"),
    retries,
  ],
  "call-service": [
    ...stepFields,
    lineField("service", true),
    lineField("method", true),
    { name: "input", type: "object" },
    lineField("as"),
    retries,
  ],
  message: [
    ...stepFields,
    lineField("channel", true),
    { name: "message", type: "json", needed: true },
    { name: "headers", type: "object" },
    retries,
  ],
  mail: [...stepFields, lineField("to", true), lineField("subject", true), textField("text", true), retries],
};

/**
 * The form for a kind of trigger or step. It depends on the list too: triggers and steps both have a kind
 * `call`, with different forms.
 */
export const itemFormKind = (list: string, kind: string): AutomationItemKind =>
  isKeyOf(ITEM_FIELDS, kind) && (list === "triggers" || kind !== "call") ? kind : "call-service";

/** Kinds that may be added to a list. */
export const itemKinds = (list: string): readonly string[] =>
  list === "triggers" ? TRIGGER_KINDS : STEP_KINDS;

/** Formats a field's value as the text of its input. */
export const formatField = (value: unknown, type: Field["type"]): string => {
  if (value === undefined || value === null) return "";
  if (type === "object" || (type === "json" && typeof value !== "string"))
    return JSON.stringify(value, null, 2);
  // A text that parses as JSON is quoted, so that it is read as a text again.
  if (typeof value === "string" && type === "json" && isJson(value)) return JSON.stringify(value);
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
