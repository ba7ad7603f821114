import { useNavigation } from "react-router";
import { useWords } from "../words/index.ts";

/** A thin line while the next page is fetched, for whoever waits longer than a moment: `--async-part-delay` in CSS. */
export function Progress() {
  const t = useWords();
  if (useNavigation().state === "idle") return null;
  return <div className="progress" role="progressbar" aria-label={t("Loading")} />;
}
