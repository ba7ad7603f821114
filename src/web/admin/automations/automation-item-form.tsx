import { Form } from "react-router";
import {
  ButtonLink,
  CheckField,
  FormErrors,
  SelectField,
  SubmitButton,
  TextArea,
  TextField,
} from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import type { RejectedForm } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import {
  type Field,
  ITEM_FIELDS,
  itemFormKind,
  RECORD_ACTIONS,
  formatField,
} from "./automation-form-fields.ts";
import { useAutomationFieldLabels, useItemKindLabels } from "./automation-labels.ts";

type Item = Readonly<Record<string, unknown>>;
type Props = {
  flow: { id: string; version: number };
  /** The list that a new item is added to, or the position of an existing item. */
  at: { list: string; kind: string } | { place: string; kind: string };
  item: Item;
  /** Names of events that a trigger can listen to. */
  events: readonly string[];
  /** Names of the community's entities that emit events. */
  entities: readonly string[];
};

/** Form of an existing or a new trigger or step. */
export function AutomationItemForm({ flow, at, item, events, entities }: Props) {
  const t = useTranslate();
  const list = "list" in at ? at.list : at.place.slice(0, at.place.lastIndexOf("."));
  const kind = itemFormKind(list, at.kind);
  const words = useItemKindLabels()[kind];
  return (
    <Form method="post" className="mt-4 grid max-w-2xl gap-4" aria-label={words}>
      <FormErrors />
      <input type="hidden" name="version" value={flow.version} />
      {"list" in at ? (
        <input type="hidden" name="list" value={at.list} />
      ) : (
        <input type="hidden" name="place" value={at.place} />
      )}
      <input type="hidden" name="kind" value={at.kind} />
      <p className="font-semibold">{words}</p>
      {ITEM_FIELDS[kind].map((field) => (
        <ItemField
          key={field.name}
          field={field}
          value={item[field.name]}
          events={events}
          entities={kind === "table" ? entities : []}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <input type="hidden" name="intent" value={"list" in at ? "add" : "change"} />
        <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        <ButtonLink to={urls.flow(flow.id)}>{t("Cancel")}</ButtonLink>
      </div>
    </Form>
  );
}

function ItemField({ field: { name, type, needed }, value, events, entities }: FieldProps) {
  const t = useTranslate();
  const { label, hint } = useAutomationFieldLabels(entities)[name];
  const shared = { name, label, hint, required: needed, dir: "auto" } as const;
  if (type === "events") return <EventChoices label={label} events={events} chosen={value} />;
  if (type === "yes")
    return (
      <SelectField name={name} label={label} hint={hint} defaultValue={value === false ? "no" : "yes"}>
        <option value="yes">{t("Yes")}</option>
        <option value="no">{t("No")}</option>
      </SelectField>
    );
  if (type === "choice")
    return (
      <SelectField name={name} label={label} hint={hint} defaultValue={formatField(value, type) || "create"}>
        {RECORD_ACTIONS.map((act) => (
          <option key={act}>{act}</option>
        ))}
      </SelectField>
    );
  if (type === "line" || type === "number")
    return (
      <TextField
        {...shared}
        defaultValue={formatField(value, type)}
        inputMode={type === "number" ? "decimal" : undefined}
      />
    );
  return (
    <TextArea
      {...shared}
      defaultValue={formatField(value, type)}
      rows={name === "text" ? 8 : 4}
      spellCheck={name === "text"}
    />
  );
}

type FieldProps = Pick<Props, "events" | "entities"> & { field: Field; value: unknown };

/** Restores the selected events after a rejected submission, as other inputs restore their text. */
function EventChoices({
  label,
  events,
  chosen,
}: {
  label: string;
  events: readonly string[];
  chosen: unknown;
}) {
  const typed = useFormResult<RejectedForm | undefined>()?.typed;
  const of = Array.isArray(chosen) ? chosen.map(String) : ["created"];
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
