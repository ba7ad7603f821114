import { Form } from "react-router";
import { SubmitButton, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/**
 * Notice on a deleted discussion that this viewer can still open. `takenBack`: its author deleted the only
 * post, and only the author can restore it.
 */
export function DeletedDiscussionNotice({
  takenBack,
  canRestore,
}: {
  takenBack: boolean;
  canRestore: boolean;
}) {
  const t = useTranslate();
  return (
    <div className="notice mb-4" data-tone="bad">
      <div className="grid flex-1 gap-3">
        <p>
          {takenBack
            ? t("The author deleted this discussion, which had no replies. Moderators can see it for a day.")
            : t("This discussion was deleted. Moderators can see it for 30 days.")}
        </p>
        {canRestore && !takenBack && (
          <Form method="post" className="grid gap-3">
            <input type="hidden" name="intent" value="restore" />
            <TextField
              name="reason"
              label={t("Reason (optional)")}
              hint={t("Shown in the discussion and in the group's log.")}
              maxLength={300}
              dir="auto"
              autoComplete="off"
            />
            <p>
              <SubmitButton busy={t("Restoring…")}>{t("Restore discussion")}</SubmitButton>
            </p>
          </Form>
        )}
      </div>
    </div>
  );
}
