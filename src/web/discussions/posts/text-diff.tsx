import { useTranslate } from "../../i18n/index.ts";
import type { TextChange } from "./diff-texts.ts";

/** A text with its insertions and deletions, which are also marked by words for screen readers. */
export function TextDiff({ changes }: { changes: TextChange[] }) {
  const t = useTranslate();
  const end = <span className="sr-only"> {t("End of change.")} </span>;
  return changes.map(({ text, is }, i) =>
    is === "added" ? (
      <ins key={i} className="rounded-control bg-accent-soft text-ink decoration-accent">
        <span className="sr-only"> {t("Added:")} </span>
        {text}
        {end}
      </ins>
    ) : is === "removed" ? (
      <del key={i} className="rounded-control bg-red-soft text-ink decoration-red">
        <span className="sr-only"> {t("Removed:")} </span>
        {text}
        {end}
      </del>
    ) : (
      text
    ),
  );
}
