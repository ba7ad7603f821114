import { useNavigation } from "react-router";
import { useWords } from "../words/index.ts";

/** A thin line while the next page is fetched, for whoever waits longer than a moment: `--async-part-delay` in CSS. */
export function Progress() {
  const t = useWords();
  const waiting = useNavigation().state !== "idle";
  // It stands outside all landmarks: what speaks up by itself may.
  return <div role="status">{waiting && <div className="progress" role="progressbar" aria-label={t("Loading")} />}</div>;
}
