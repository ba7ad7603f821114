import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { useAudienceLabels } from "../../people/audience-select.tsx";
import { CheckField, FormErrors, SelectField, SubmitButton, TextArea, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useProfileFieldLabels } from "./profile-field-labels.ts";
import type { FieldRow } from "./profile-fields-page.tsx";

/**
 * Inputs of a new or existing profile field. The kind of an existing one cannot change, since its answers
 * are of that kind.
 */
export function ProfileFieldInputs({ field }: { field?: FieldRow }) {
  const t = useTranslate();
  const kinds = useProfileFieldLabels();
  const audiences = useAudienceLabels();
  const most = LIMITS.profileFields;
  const chooses = !field || field.choices.length > 0;
  return (
    <Form method="post" className="grid max-w-xl gap-4">
      <FormErrors />
      <input type="hidden" name="intent" value={field ? "change" : "add"} />
      {field && <input type="hidden" name="id" value={field.id} />}
      <TextField
        name="label"
        label={t("Label")}
        defaultValue={field?.label}
        required
        maxLength={most.label}
        dir="auto"
      />
      <TextField
        name="hint"
        label={t("Help text (optional)")}
        defaultValue={field?.hint}
        maxLength={most.hint}
        dir="auto"
      />
      {!field && (
        <SelectField name="kind" label={t("Type")} defaultValue="line">
          {Object.entries(kinds).map(([kind, word]) => (
            <option key={kind} value={kind}>
              {word}
            </option>
          ))}
        </SelectField>
      )}
      {chooses && (
        <TextArea
          name="choices"
          label={t("Choices")}
          hint={t("One per line. Only for types with choices.")}
          defaultValue={field?.choices.join("\n")}
          dir="auto"
        />
      )}
      <SelectField name="audience" label={t("Visibility")} defaultValue={field?.audience ?? "members"}>
        {Object.entries(audiences).map(([audience, word]) => (
          <option key={audience} value={audience}>
            {word}
          </option>
        ))}
      </SelectField>
      <CheckField
        name="locked"
        label={t("Limit to this visibility")}
        hint={t("If not limited, this is the default, which members can change.")}
        defaultChecked={field?.locked}
      />
      <CheckField name="required" label={t("Required")} defaultChecked={field?.required} />
      <div>
        <SubmitButton busy={t("Saving…")}>{field ? t("Save field") : t("Add field")}</SubmitButton>
      </div>
    </Form>
  );
}
