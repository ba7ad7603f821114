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
        <ActionForm intent="go-on" fields={{}} kind="primary" busy={t("Beginning…")}>
          {t("Bring it in")}
        </ActionForm>
      )}
      {((brokeOff && run.lies) || (run.isLeft && run.state === "undoing")) && (
        <ActionForm intent="go-on" fields={{}} kind="primary" busy={t("Beginning…")}>
          {run.isCheck ? t("Look at it again") : t("Go on")}
        </ActionForm>
      )}
      {takable && (
        <details className="panel px-4 py-2">
          <summary className="cursor-pointer text-red">{t("Take it back…")}</summary>
          <Form method="post" preventScrollReset className="grid max-w-[52ch] gap-3 py-2">
            <input type="hidden" name="intent" value="take-back" />
            <p>
              {t(
                "Everything that came with {name} goes: people who have not claimed their writings, groups, discussions and files. What was here before stays, and so do settings that were changed since.",
                {
                  name: run.fileName,
                },
              )}
            </p>
            <CheckField name="evenWritings" value="yes" label={t("Also what members have written there since")} />
            <div>
              <SubmitButton kind="danger" busy={t("Taking it back…")}>
                {t("Take it back")}
              </SubmitButton>
            </div>
          </Form>
        </details>
      )}
    </div>
  );
}
