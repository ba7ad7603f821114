import { TextArea } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** The reason for joining, read by the person who approves the account. */
export function JoinReasonField() {
  const t = useTranslate();
  return (
    <TextArea
      name="reason"
      label={t("Why do you want to join?")}
      hint={t("A moderator reads this. Two sentences are enough.")}
      required
      maxLength={1000}
      rows={4}
      dir="auto"
    />
  );
}
