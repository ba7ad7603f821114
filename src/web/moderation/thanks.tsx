import type { ReactNode } from "react";
import { ButtonLink, Notice } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

/** After something was reported: what becomes of it, the way `back`, and to what one has reported. */
export function Thanks({ back, children }: { back: ReactNode; children: ReactNode }) {
  const t = useWords();
  return (
    <>
      <Notice tone="good">{children}</Notice>
      <p className="mt-4 flex flex-wrap gap-3">
        {back}
        <ButtonLink to={urls.ownReports()}>{t("What you reported")}</ButtonLink>
      </p>
    </>
  );
}
