import { languageAttributes, useLocale, useTranslate } from "../../i18n/index.ts";

/** Summary of a spoiler whose author wrote no summary. */
const SPOILER_SUMMARY = "<summary>Spoiler</summary>";

/** Renders user-written HTML, which must have been sanitized when it was stored. */
export function Prose({ html, lang, className = "" }: { html: string; lang?: string; className?: string }) {
  const t = useTranslate();
  const locale = useLocale();
  const labelled = html.replaceAll(
    SPOILER_SUMMARY,
    () => `<summary lang="${locale}">${t("Show hidden text")}</summary>`,
  );
  const attributes = lang === undefined ? { dir: "auto" } : languageAttributes(lang, html);
  return (
    <div
      className={className ? `prose ${className}` : "prose"}
      {...attributes}
      dangerouslySetInnerHTML={{ __html: labelled }}
    />
  );
}
