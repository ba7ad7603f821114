import { textIn, useLocale, useWords } from "../words/index.ts";

/** What stands over a hidden text whose author gave it no words of its own. */
const SPOILER = "<summary>Spoiler</summary>";

/** What somebody wrote: HTML that was made and cleaned when it was stored, and only that. */
export function Prose({ html, lang, className = "" }: { html: string; lang?: string; className?: string }) {
  const t = useWords();
  const locale = useLocale();
  const said = html.replaceAll(SPOILER, () => `<summary lang="${locale}">${t("Hidden: show it")}</summary>`);
  const attributes = lang === undefined ? { dir: "auto" } : textIn(lang, html);
  return <div className={className ? `prose ${className}` : "prose"} {...attributes} dangerouslySetInnerHTML={{ __html: said }} />;
}
