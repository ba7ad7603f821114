import type { ReactNode } from "react";
import { useTranslate } from "../../i18n/index.ts";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import { StepHeading } from "./step-heading.tsx";

/** Whether a link has been used, has expired or lacks its token. */
export const isLinkExpired = (token: string, answer: unknown) =>
  token === "" || findRejectedForm(answer)?.refused.reason === "gone";

/** Explains why an emailed link does not work, and offers a new link. */
export function ExpiredLink({ children }: { children: ReactNode }) {
  const t = useTranslate();
  return (
    <>
      <StepHeading title={t("This link no longer works")}>
        <p>{t("It was used, replaced by a newer one, or has expired. Request a new link.")}</p>
      </StepHeading>
      <div className="flex flex-wrap gap-2">{children}</div>
    </>
  );
}
