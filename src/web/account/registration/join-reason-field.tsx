import { TextArea } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** The reason for joining, read by the person who approves the account. */
export function JoinReasonField() {
  const t = useTranslate();
  return (
    <TextArea
      name="reason"
      label={t("What brings you here?")}
      hint={t("A human reads this and answers. Two sentences are plenty.")}
      required
      maxLength={1000}
      rows={4}
      dir="auto"
    />
  );
}
