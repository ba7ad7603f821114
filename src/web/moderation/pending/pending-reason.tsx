import type { PendingPost } from "#community/discussions";
import { useTranslate } from "../../i18n/index.ts";

/** Why a post waits, for its author and for moderators; nothing for the first post of its author. */
export function PendingReason({ reason }: { reason: PendingPost["approvalReason"] }) {
  const t = useTranslate();
  if (!reason) return null;
  return (
    <p className="mt-1 break-words">
      {reason.kind === "repeat"
        ? t("Needs approval: another new member posted this text within 24 hours.")
        : reason.kind === "word"
          ? t("Needs approval: watched word “{word}”.", { word: reason.phrase })
          : t("Needs approval: link to {domain}.", { domain: reason.domain })}
      {reason.kind !== "repeat" && <bdi> {reason.explanation}</bdi>}
    </p>
  );
}
