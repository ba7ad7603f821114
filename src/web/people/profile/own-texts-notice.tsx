import type { OwnPendingProfile } from "#community/accounts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Tells the owner of a profile which of its texts only they see, and why; nothing without such texts. */
export function OwnTextsNotice({ entries }: { entries: OwnPendingProfile[] }) {
  const t = useTranslate();
  if (entries.length === 0) return null;
  return (
    <div className="mt-4 grid gap-3" id="waiting">
      {entries.map(({ id, isReturned, answer, approvalReason }) => (
        <div key={id} className="notice" data-tone="pending">
          <div>
            <p>
              {isReturned
                ? t("Your new profile text was returned. Edit and send it again.")
                : t("Only you and moderators see your new profile text until it is reviewed.")}
            </p>
            {!isReturned && <Reason reason={approvalReason} />}
            {answer && (
              <p dir="auto" className="break-words">
                {answer}
              </p>
            )}
            <p>
              <Link to={`${urls.drafts()}#waiting`}>{isReturned ? t("Full text") : t("Show in drafts")}</Link>
            </p>
          </div>
        </div>
      ))}
    </div>
  );
}

/**
 * Why the text waits. It shares no component with the list of moderators: the bundler would move that list into a
 * file that discussions load.
 */
function Reason({ reason }: { reason: OwnPendingProfile["approvalReason"] }) {
  const t = useTranslate();
  if (!reason) return <p>{t("Links of new members need approval here.")}</p>;
  if (reason.kind === "repeat")
    return <p>{t("Needs approval: another new member posted this text within 24 hours.")}</p>;
  return (
    <p className="break-words">
      {reason.kind === "word"
        ? t("Needs approval: watched word “{word}”.", { word: reason.phrase })
        : t("Needs approval: link to {domain}.", { domain: reason.domain })}{" "}
      <bdi>{reason.explanation}</bdi>
    </p>
  );
}
