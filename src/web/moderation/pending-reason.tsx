import type { PendingPost } from "#community/discussions";
import { useTranslate } from "../i18n/index.ts";

/** Why a post waits, for its author and for moderators; nothing for the first post of its author. */
export function PendingReason({ reason }: { reason: PendingPost["approvalReason"] }) {
  const t = useTranslate();
  if (!reason) return null;
  if (reason.kind === "repeat")
    return (
      <p className="mt-1">{t("Needs approval: another new member posted this text within 24 hours.")}</p>
    );
  return (
    <p className="mt-1 break-words">
      {reason.kind === "word"
        ? t("Needs approval: watched word “{word}”.", { word: reason.phrase })
        : t("Needs approval: link to {domain}.", { domain: reason.domain })}{" "}
      <bdi>{reason.explanation}</bdi>
    </p>
  );
}
