import { Form } from "react-router";
import type { ImportRun } from "#community/import-export";
import { ActionForm } from "../../people/action-form.tsx";
import { CheckField, SubmitButton } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

type Run = Pick<ImportRun, "state" | "fileName"> & { isCheck: boolean; isLeft: boolean; lies: boolean };

/** Actions on an import run: import, resume, undo. */
export function ImportActions({ run }: { run: Run }) {
  const t = useTranslate();
  const brokeOff = run.state === "broken" || (run.isLeft && run.state !== "undoing");
  const takable = run.state === "done" || (brokeOff && !run.isCheck);
  return (
    <div className="mt-4 flex flex-wrap items-start gap-3">
      {run.state === "checked" && run.lies && (
        <ActionForm intent="resume" fields={{}} kind="primary" busy={t("Starting…")}>
          {t("Import")}
        </ActionForm>
      )}
      {((brokeOff && run.lies) || (run.isLeft && run.state === "undoing")) && (
        <ActionForm intent="resume" fields={{}} kind="primary" busy={t("Starting…")}>
          {run.isCheck ? t("Preview again") : t("Continue")}
        </ActionForm>
      )}
      {takable && (
        <details className="panel px-4 py-2">
          <summary className="cursor-pointer text-red">{t("Undo import…")}</summary>
          <Form method="post" preventScrollReset className="grid max-w-[52ch] gap-3 py-2">
            <input type="hidden" name="intent" value="undo" />
            <p>
              {t(
                "Everything imported with {name} is deleted: unclaimed people, groups, discussions and " +
                  "files. Content from before the import stays, and so do settings that were changed since.",
                {
                  name: run.fileName,
                },
              )}
            </p>
            <CheckField
              name="includeNewContent"
              value="yes"
              label={t("Also delete what members have added since")}
            />
            <div>
              <SubmitButton kind="danger" busy={t("Undoing…")}>
                {t("Undo import")}
              </SubmitButton>
            </div>
          </Form>
        </details>
      )}
    </div>
  );
}
