import { useNavigation } from "react-router";
import { useWords } from "../words/index.ts";

/** A progress bar while the next page loads, shown after a delay: `--async-part-delay` in CSS. */
export function Progress() {
  const t = useWords();
  const waiting = useNavigation().state !== "idle";
  // A status may be outside of all landmarks.
  return <div role="status">{waiting && <div className="progress" role="progressbar" aria-label={t("Loading")} />}</div>;
}
