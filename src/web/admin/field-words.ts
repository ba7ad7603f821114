import { useWords } from "../words/index.ts";

/** What the kinds of fields are called, and the people whom something is shown to. */
export function useFieldWords() {
  const t = useWords();
  const kinds: Record<string, string> = {
    line: t("A line"),
    text: t("A text"),
    link: t("A link"),
    date: t("A day"),
    choice: t("One of several"),
    choices: t("Several of several"),
  };
  return kinds;
}
