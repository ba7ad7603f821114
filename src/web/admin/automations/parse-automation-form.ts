import { TABLE_EVENTS } from "#baas/automations";
import { Refusal } from "#platform/refusal";
import { cleanText, parseJsonOr } from "../../form-parsing.ts";
import { type Field, ITEM_FIELDS, itemFormKind } from "./automation-form-fields.ts";

const INVALID_JSON = { text: "That is not valid JSON." };
const NOT_AN_OBJECT = { text: "That is not a JSON object." };

/** Reads a field of the form; returns undefined for an empty one. */
function parseField({ name, type }: Field, form: FormData): unknown {
  if (type === "events") return TABLE_EVENTS.filter((event) => form.has(`event-${event}`));
  const typed = cleanText(String(form.get(name) ?? ""));
  if (typed.trim() === "") return undefined;
  // An invalid number is passed on as text: the schema rejects it with a message.
  if (type === "number") return Number.isNaN(Number(typed)) ? typed : Number(typed);
  if (type === "json") return parseJsonOr(typed, typed);
  if (type === "yes") return typed === "yes";
  if (type !== "object") return typed.trim();
  const json = parseJsonOr(typed, null);
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json;
  throw new Refusal("invalid", "Check the marked fields.", { fields: { [name]: NOT_AN_OBJECT.text } });
}

/**
 * Reads a JSON field.
 * @throws `invalid` on the field
 */
export function parseJsonField(form: FormData, name: string): unknown {
  const typed = cleanText(String(form.get(name) ?? ""));
  if (typed.trim() === "") return {};
  const json = parseJsonOr(typed, undefined);
  if (json !== undefined) return json;
  throw new Refusal("invalid", "Check the marked fields.", { fields: { [name]: INVALID_JSON.text } });
}

/** Reads a trigger or step from its form. */
export function parseItemForm(list: string, kind: string, form: FormData): Record<string, unknown> {
  const said = ITEM_FIELDS[itemFormKind(list, kind)].map(
    (field) => [field.name, parseField(field, form)] as const,
  );
  return { kind, ...Object.fromEntries(said.filter(([, value]) => value !== undefined)) };
}
