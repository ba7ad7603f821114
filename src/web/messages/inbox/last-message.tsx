import { useTranslate } from "../../i18n/index.ts";

type Props = { by: { name: string } | "viewer" | null; words: string; className?: string };

/**
 * The latest message in one line. Its author is a separate element: in a text of the other direction, the
 * author's name at the start would be cut off.
 */
export function LastMessage({ by, words, className = "" }: Props) {
  const t = useTranslate();
  const who = by === "viewer" ? t("You: {words}", { words: "" }).trim() : by && `${by.name}:`;
  return (
    <span className={`flex min-w-0 gap-x-[0.3em] ${className}`}>
      {who && <bdi className="max-w-1/2 flex-none truncate">{who}</bdi>}
      <span dir="auto" className="min-w-0 truncate">
        {words}
      </span>
    </span>
  );
}
