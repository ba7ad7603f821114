import type { RejectedForm } from "../../request-context.ts";
import { SelectField, TextArea, TextField } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { useTranslate } from "../../i18n/index.ts";

type PollFieldsProps = { /** The poll of the draft. */ draft: Partial<Record<string, string>> | undefined };

/** Fields of a poll attached to a post. They are open if the draft has a poll. */
export function PollFields({ draft }: PollFieldsProps) {
  const t = useTranslate();
  const answer = useFormResult<Partial<RejectedForm> | null>();
  return (
    <details
      className="mt-2 min-w-0"
      open={Boolean((answer?.typed ?? draft)?.["pollOptions"]?.trim()) || undefined}
    >
      <summary className="choose-picture mt-1">
        <i className="icon icon-list-checks" />
        {t("Add a poll")}
      </summary>
      <div className="mt-2 grid grid-cols-1 gap-3">
        <TextArea
          name="pollOptions"
          label={t("Options")}
          hint={t("One per line: 2 to 20.")}
          rows={4}
          dir="auto"
          defaultValue={draft?.["pollOptions"]}
        />
        <SelectField name="pollChoice" label={t("Votes")} defaultValue={draft?.["pollChoice"]}>
          <option value="one">{t("single choice")}</option>
          <option value="several">{t("multiple choice")}</option>
        </SelectField>
        <SelectField name="pollResults" label={t("Show results")} defaultValue={draft?.["pollResults"]}>
          <option value="always">{t("always")}</option>
          <option value="voted">{t("after voting")}</option>
          <option value="ended">{t("when closed")}</option>
        </SelectField>
        <TextField
          name="pollCloses"
          type="date"
          label={t("Closing date (optional)")}
          defaultValue={draft?.["pollCloses"]}
        />
      </div>
    </details>
  );
}
