import { AnswersForm, ProfileForm } from "#community/people";
import { invalid } from "#platform/refusal";
import { clean, parseForm } from "../../forms.ts";

const text = (value: FormDataEntryValue | undefined) => (typeof value === "string" ? clean(value) : "");

/** The profile as its form sends it: lines of one's own come as three lists, and an empty line is no line. */
export function profileOf(form: FormData): Partial<ProfileForm> {
  const about = parseForm(ProfileForm.omit({ fields: true }), form);
  const [labels, values, audiences] = [form.getAll("label[]"), form.getAll("value[]"), form.getAll("audience[]")];
  const lines = labels.map((label, i) => ({ label: text(label), value: text(values[i]), audience: text(audiences[i]) }));
  const read = ProfileForm.shape.fields.safeParse(lines.filter((line) => line.label.trim() !== "" || line.value.trim() !== ""));
  if (!read.success) throw invalid("lines", read.error.issues[0]!.message);
  return { ...about, fields: read.data };
}

/** What stood in the form of the asked fields: each with all that was said in it, and for whom. */
export function answersOf(form: FormData): AnswersForm {
  const answers = form.getAll("field[]").map((id) => ({
    fieldId: text(id),
    said: form.getAll(text(id)).map(text),
    // A locked field has no audience in its form; the verb knows it.
    audience: text(form.get(`audience-${text(id)}`) ?? "nobody"),
  }));
  const read = AnswersForm.safeParse(answers);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  throw invalid(answers[Number(issue.path[0])]?.fieldId ?? "field", issue.message);
}
