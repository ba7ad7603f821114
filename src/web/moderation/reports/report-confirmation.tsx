import type { ReactNode } from "react";
import { ButtonLink, Notice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Shown after a report: what happens next, with links back and to the viewer's own reports. */
export function ReportConfirmation({ back, children }: { back: ReactNode; children: ReactNode }) {
  const t = useTranslate();
  return (
    <>
      <Notice tone="good">{children}</Notice>
      <p className="mt-4 flex flex-wrap gap-3">
        {back}
        <ButtonLink to={urls.ownReports()}>{t("Your reports")}</ButtonLink>
      </p>
    </>
  );
}
