import { Form } from "react-router";
import { PREVENTION_LIMITS } from "#community/rules";
import { useTranslate } from "../../i18n/index.ts";
import { FormErrors, SelectField, SubmitButton, TextField } from "../../ui/index.ts";

/** Form to block an email domain, an email address or a network: the server recognizes which it is. */
export function BlockedAddressInputs() {
  const t = useTranslate();
  return (
    <Form method="post" className="grid max-w-xl gap-4">
      <FormErrors />
      <input type="hidden" name="intent" value="add" />
      <TextField
        name="address"
        label={t("Email domain, email address or network")}
        hint={t("Such as example.com, name@example.com, 203.0.113.0/24 or 2001:db8::/32.")}
        required
        maxLength={320}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <TextField
        name="reason"
        label={t("Reason")}
        hint={t("People who cannot register can read the reason.")}
        required
        maxLength={PREVENTION_LIMITS.blockedAddresses.reason}
        dir="auto"
      />
      <SelectField name="days" label={t("Ends")} defaultValue="0">
        <option value="0">{t("Never")}</option>
        <option value="7">{t("In a week")}</option>
        <option value="30">{t("In 30 days")}</option>
        <option value="365">{t("In a year")}</option>
      </SelectField>
      <div>
        <SubmitButton busy={t("Saving…")}>{t("Block address")}</SubmitButton>
      </div>
    </Form>
  );
}
