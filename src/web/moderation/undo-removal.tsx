import { Form } from "react-router";
import { Notice, SubmitButton } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";

/** Button to undo the viewer's removal of the content of these cases. */
export function UndoRemovalButton({ caseIds }: { caseIds: string[] }) {
  const t = useTranslate();
  return (
    <Form method="post">
      <input type="hidden" name="intent" value="undo" />
      <input type="hidden" name="reason" value={t("The removal was a mistake.")} />
      {caseIds.map((id) => (
        <input key={id} type="hidden" name="caseIds[]" value={id} />
      ))}
      <SubmitButton kind="plain" busy={t("Saving…")}>
        {t("Undo removal")}
      </SubmitButton>
    </Form>
  );
}

/** Notice after a removal, with a button to undo it. */
export function RemovalNotice({ caseIds }: { caseIds: string[] }) {
  const t = useTranslate();
  if (caseIds.length === 0) return null;
  return (
    <div className="mt-4">
      <Notice tone="good">
        <div className="flex flex-wrap items-center gap-3">
          <p>
            {t(
              "{count, plural, one {Removed the content of # case.} other {Removed the content of # cases.}}",
              {
                count: caseIds.length,
              },
            )}
          </p>
          <UndoRemovalButton caseIds={caseIds} />
        </div>
      </Notice>
    </div>
  );
}
