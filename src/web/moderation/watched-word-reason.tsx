import type { PendingPost } from "#community/discussions";
import { useTranslate } from "../i18n/index.ts";

/** The watched word because of which a post waits, for its author and for moderators. */
export function WatchedWordReason({ watched }: { watched: PendingPost["watchedWord"] }) {
  const t = useTranslate();
  if (!watched) return null;
  return (
    <p className="mt-1 break-words">
      {t("Needs approval because of the watched word “{word}”.", { word: watched.phrase })}{" "}
      <bdi>{watched.explanation}</bdi>
    </p>
  );
}
