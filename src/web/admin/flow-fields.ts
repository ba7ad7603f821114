import { EVENTS } from "#backend/flows";
import { Refusal } from "#platform/refusal";
import { clean, jsonOr } from "../forms.ts";
import { type Field, FIELDS, formKindOf } from "./flow-forms.ts";

const JSON_FAULT = { say: "This is not JSON." };
const OBJECT_FAULT = { say: "This is not an object in JSON." };

/** Reads a field of the form; an empty one is omitted. */
function valueOf({ name, type }: Field, form: FormData): unknown {
  if (type === "events") return EVENTS.filter((event) => form.has(`event-${event}`));
  const typed = clean(String(form.get(name) ?? ""));
  if (typed.trim() === "") return undefined;
  // An invalid number is left to the schema, which has its error message.
  if (type === "number") return Number.isNaN(Number(typed)) ? typed : Number(typed);
  if (type === "json") return jsonOr(typed, typed);
  if (type === "yes") return typed === "yes";
  if (type !== "object") return typed.trim();
  const read = jsonOr(typed, null);
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return read;
  throw new Refusal("invalid", "Please look at the marked fields.", { fields: { [name]: OBJECT_FAULT.say } });
}

/**
 * Reads a JSON field.
 * @throws `invalid` on the field
 */
export function jsonIn(form: FormData, name: string): unknown {
  const typed = clean(String(form.get(name) ?? ""));
  if (typed.trim() === "") return {};
  const read = jsonOr(typed, undefined);
  if (read !== undefined) return read;
  throw new Refusal("invalid", "Please look at the marked fields.", { fields: { [name]: JSON_FAULT.say } });
}

/** Reads a trigger or step from its form. */
export function itemIn(list: string, kind: string, form: FormData): Record<string, unknown> {
  const said = FIELDS[formKindOf(list, kind)].map((field) => [field.name, valueOf(field, form)] as const);
  return { kind, ...Object.fromEntries(said.filter(([, value]) => value !== undefined)) };
}
