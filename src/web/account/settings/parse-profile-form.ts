import { AnswersForm, ProfileInput } from "#community/accounts";
import { issueMessage } from "#platform/messages";
import { invalid } from "#platform/refusal";
import { cleanText, fieldsByName, parseForm } from "../../form-parsing.ts";

const readText = (value: FormDataEntryValue | undefined) =>
  typeof value === "string" ? cleanText(value) : "";

/** Parses the submitted profile. Custom fields are submitted as three lists; empty ones are dropped. */
export function parseProfileForm(form: FormData): Partial<ProfileInput> {
  const about = parseForm(ProfileInput.omit({ fields: true }), form);
  const fields = fieldsByName(form);
  const [labels = [], values = [], audiences = []] = ["label[]", "value[]", "audience[]"].map((name) =>
    fields.get(name),
  );
  const lines = labels.map((label, i) => ({
    label: readText(label),
    value: readText(values[i]),
    audience: readText(audiences[i]),
  }));
  const parsed = ProfileInput.shape.fields.safeParse(
    lines.filter((line) => line.label.trim() !== "" || line.value.trim() !== ""),
  );
  if (!parsed.success) throw invalid("lines", issueMessage(parsed.error.issues[0]!));
  return { ...about, fields: parsed.data };
}

/** Parses the submitted answers to profile questions, each with its values and audience. */
export function parseAnswersForm(form: FormData): AnswersForm {
  const fields = fieldsByName(form);
  // A question that the form names twice has one answer: its values are collected under one id.
  const ids = [...new Set((fields.get("field[]") ?? []).map(readText))];
  const answers = ids.map((fieldId) => ({
    fieldId,
    said: (fields.get(fieldId) ?? []).map(readText),
    // The form has no audience for a locked field: the command sets it.
    audience: readText(fields.get(`audience-${fieldId}`)?.[0] ?? "nobody"),
  }));
  const parsed = AnswersForm.safeParse(answers);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw invalid(answers[Number(issue.path[0])]?.fieldId ?? "field", issueMessage(issue));
}
