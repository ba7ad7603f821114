import { CheckField } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";

export function MailLevelOptions({ chosen }: { chosen: string }) {
  const t = useTranslate();
  const levels = [
    {
      value: "important",
      label: t("Important only"),
      hint: t("When someone replies to you, mentions you or messages you."),
    },
    { value: "everything", label: t("Everything"), hint: t("Also new discussions in your groups.") },
    {
      value: "nothing",
      label: t("No email"),
      hint: t("You find everything on the site. Security emails about your account are always sent."),
    },
  ];
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">{t("How much email do you want?")}</legend>
      {levels.map(({ value, label, hint }) => (
        <CheckField
          key={value}
          type="radio"
          name="level"
          value={value}
          label={label}
          hint={hint}
          defaultChecked={chosen === value}
        />
      ))}
    </fieldset>
  );
}
