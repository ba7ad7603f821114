import { LIMITS } from "#community/rules";
import type { FieldToFill } from "#community/accounts";
import { AudienceSelect, useAudienceLabels } from "../../people/audience-select.tsx";
import { useTranslate } from "../../i18n/index.ts";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { SettingsSectionProps } from "./settings-data.ts";
import { fieldError, SettingsForm } from "./settings-form.tsx";

/** Profile fields defined by this community, each with its own audience. */
export function ProfileQuestions(part: SettingsSectionProps<"profile">) {
  const t = useTranslate();
  const { questions } = part.data;
  if (questions.length === 0) return null;
  return (
    <SettingsForm {...part} anchor intent="asked" title={t("Community questions")} save={t("Save answers")}>
      <p className="hint">{t("Choose who can see each answer, among those who can see your profile.")}</p>
      {questions.map((field) => (
        <ProfileQuestionField
          key={field.id}
          field={field}
          typed={findRejectedForm(part.answer)?.typed[`asked-${field.id}`]}
          fault={fieldError(part.answer, `asked-${field.id}`)}
        />
      ))}
    </SettingsForm>
  );
}

export type ProfileQuestionProps = {
  field: FieldToFill;
  typed: string | undefined;
  fault: string | undefined;
};

/** One profile question; `typed` is the rejected value, which is shown again. */
export function ProfileQuestionField({ field, typed, fault }: ProfileQuestionProps) {
  const t = useTranslate();
  const words = useAudienceLabels();
  const id = `field-asked-${field.id}`;
  const several = field.kind === "choices";
  const Label = several ? "legend" : "label";
  const body = (
    <>
      <Label htmlFor={several ? undefined : id} className="label">
        <span dir="auto">{field.label}</span>{" "}
        {field.required && <span className="text-quiet">({t("required")})</span>}
      </Label>
      <input type="hidden" name="asked-field[]" value={field.id} />
      <div className="grid gap-2 phone:grid-cols-[1fr_9rem]">
        <Input field={field} said={typed ?? field.said[0] ?? ""} id={id} described={fault && `${id}-fault`} />
        {field.locked ? (
          <p className="hint self-center">{words[field.audience]}</p>
        ) : (
          <AudienceSelect
            name={`asked-audience-${field.id}`}
            label={t("Visible to: {label}", { label: field.label })}
            chosen={field.chosen}
            className="self-start"
          />
        )}
      </div>
      {field.hint && (
        <p dir="auto" className="hint">
          {field.hint}
        </p>
      )}
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
  return several ? <fieldset className="field">{body}</fieldset> : <div className="field">{body}</div>;
}

const TYPES = { line: "text", link: "url", date: "date" } as const;

function Input({
  field,
  said,
  id,
  described,
}: {
  field: FieldToFill;
  said: string;
  id: string;
  described: string | undefined;
}) {
  const t = useTranslate();
  const tie = {
    id,
    name: `asked-${field.id}`,
    "aria-describedby": described,
    "aria-invalid": described ? true : undefined,
  } as const;
  if (field.kind === "choices")
    return (
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {field.choices.map((choice) => (
          <label key={choice} className="check">
            <input
              type="checkbox"
              name={tie.name}
              value={choice}
              defaultChecked={field.said.includes(choice)}
            />
            <span dir="auto">{choice}</span>
          </label>
        ))}
      </div>
    );
  if (field.kind === "choice")
    return (
      <select {...tie} defaultValue={said} className="input">
        <option value="">{t("Not chosen")}</option>
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  if (field.kind === "text")
    return (
      <textarea
        {...tie}
        defaultValue={said}
        rows={3}
        maxLength={LIMITS.profileFields.text}
        dir="auto"
        className="input"
      />
    );
  const most = field.kind === "link" ? LIMITS.url : LIMITS.profileFields.line;
  return (
    <input
      {...tie}
      type={TYPES[field.kind]}
      defaultValue={said}
      maxLength={field.kind === "date" ? undefined : most}
      dir={field.kind === "link" ? "ltr" : "auto"}
      className="input"
    />
  );
}
