import { useNavigation } from "react-router";
import { useTranslate } from "../i18n/index.ts";

/** A progress bar while the next page loads, shown after a delay: `--async-part-delay` in CSS. */
export function NavigationProgress() {
  const t = useTranslate();
  const waiting = useNavigation().state !== "idle";
  // A live region with role `status` may be outside all landmarks.
  return (
    <div role="status">
      {waiting && <div className="progress" role="progressbar" aria-label={t("Loading")} />}
    </div>
  );
}
