import { Form } from "react-router";
import { SubmitButton } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Button to undo the viewer's decision, beside it. */
export function UndoDecisionButton() {
  const t = useTranslate();
  return (
    <Form method="post">
      <input type="hidden" name="intent" value="undo" />
      <input type="hidden" name="reason" value={t("The decision was a mistake.")} />
      <SubmitButton kind="plain" busy={t("Saving…")}>
        {t("Undo decision")}
      </SubmitButton>
    </Form>
  );
}
