import { Form } from "react-router";
import { PREVENTION_LIMITS } from "#community/rules";
import { useTranslate } from "../../i18n/index.ts";
import { FormErrors, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { useLinkDomainActions } from "./link-domain-actions.ts";

/** Form that adds a link domain, or changes one that is listed. */
export function LinkDomainInputs() {
  const t = useTranslate();
  const actions = useLinkDomainActions();
  return (
    <Form method="post" className="grid max-w-xl gap-4">
      <FormErrors />
      <input type="hidden" name="intent" value="save" />
      <TextField
        name="domain"
        label={t("Domain")}
        hint={t("Such as example.com, with all domains below it. A listed domain is changed.")}
        required
        maxLength={320}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <SelectField name="action" label={t("What happens")} defaultValue="approve">
        {Object.entries(actions).map(([value, { label, effect }]) => (
          <option key={value} value={value}>
            {label}: {effect}
          </option>
        ))}
      </SelectField>
      <TextField
        name="explanation"
        label={t("Explanation (optional)")}
        hint={t("One sentence for the author, such as: Advertising belongs in the marketplace group.")}
        maxLength={PREVENTION_LIMITS.linkDomains.explanation}
        dir="auto"
      />
      <div>
        <SubmitButton busy={t("Saving…")}>{t("Save domain")}</SubmitButton>
      </div>
    </Form>
  );
}
