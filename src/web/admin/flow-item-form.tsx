import { Form } from "react-router";
import { ButtonLink, CheckField, FormFaults, SelectField, SubmitButton, TextArea, TextField } from "../ui/index.ts";
import { useAnswer } from "../ui/use-answer.ts";
import { urls } from "../urls.ts";
import type { Refused } from "../visit.ts";
import { useWords } from "../words/index.ts";
import { type Field, FIELDS, formKindOf, RECORD_ACTS, textIn } from "./flow-forms.ts";
import { useFieldWords, useKindWords } from "./flow-words.ts";

type Item = Readonly<Record<string, unknown>>;
type Props = {
  flow: { id: string; version: number };
  /** The list it is added to, or its position. */
  at: { list: string; kind: string } | { place: string; kind: string };
  item: Item;
  /** Events of a data table, and the community's entities that emit events. */
  events: readonly string[];
  nouns: readonly string[];
};

/** Form of an existing or a new trigger or step. */
export function FlowItemForm({ flow, at, item, events, nouns }: Props) {
  const t = useWords();
  const list = "list" in at ? at.list : at.place.slice(0, at.place.lastIndexOf("."));
  const kind = formKindOf(list, at.kind);
  const words = useKindWords()[kind];
  return (
    <Form method="post" className="mt-4 grid max-w-2xl gap-4" aria-label={words}>
      <FormFaults />
      <input type="hidden" name="version" value={flow.version} />
      {"list" in at ? <input type="hidden" name="list" value={at.list} /> : <input type="hidden" name="place" value={at.place} />}
      <input type="hidden" name="kind" value={at.kind} />
      <p className="font-semibold">{words}</p>
      {FIELDS[kind].map((field) => (
        <ItemField key={field.name} field={field} value={item[field.name]} events={events} nouns={kind === "table" ? nouns : []} />
      ))}
      <div className="flex flex-wrap gap-2">
        <input type="hidden" name="intent" value={"list" in at ? "add" : "change"} />
        <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        <ButtonLink to={urls.flow(flow.id)}>{t("Leave it as it is")}</ButtonLink>
      </div>
    </Form>
  );
}

function ItemField({ field: { name, type, needed }, value, events, nouns }: FieldProps) {
  const t = useWords();
  const { label, hint } = useFieldWords(nouns)[name];
  const shared = { name, label, hint, required: needed, dir: "auto" } as const;
  if (type === "events") return <Events label={label} events={events} chosen={value} />;
  if (type === "yes")
    return (
      <SelectField name={name} label={label} hint={hint} defaultValue={value === false ? "no" : "yes"}>
        <option value="yes">{t("Yes")}</option>
        <option value="no">{t("No")}</option>
      </SelectField>
    );
  if (type === "choice")
    return (
      <SelectField name={name} label={label} hint={hint} defaultValue={textIn(value, type) || "create"}>
        {RECORD_ACTS.map((act) => (
          <option key={act}>{act}</option>
        ))}
      </SelectField>
    );
  if (type === "line" || type === "number")
    return <TextField {...shared} defaultValue={textIn(value, type)} inputMode={type === "number" ? "decimal" : undefined} />;
  return <TextArea {...shared} defaultValue={textIn(value, type)} rows={name === "text" ? 8 : 4} spellCheck={name === "text"} />;
}

type FieldProps = Pick<Props, "events" | "nouns"> & { field: Field; value: unknown };

/** Restores the selection after a refusal, as other inputs restore their text. */
function Events({ label, events, chosen }: { label: string; events: readonly string[]; chosen: unknown }) {
  const typed = useAnswer<Refused | undefined>()?.typed;
  const of = Array.isArray(chosen) ? (chosen as string[]) : ["created"];
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      {events.map((event) => (
        <CheckField
          key={event}
          name={`event-${event}`}
          label={event}
          defaultChecked={typed ? `event-${event}` in typed : of.includes(event)}
        />
      ))}
    </fieldset>
  );
}
