import type { OwnPendingPost } from "#community/discussions";
import { PendingReason } from "../../moderation/pending-reason.tsx";
import { ActionForm } from "../../people/action-form.tsx";
import { Prose, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/**
 * The viewer's posts in this discussion that wait for approval or were returned; empty without such posts.
 */
export function OwnPendingPosts({ pendingPosts }: { pendingPosts: OwnPendingPost[] }) {
  if (pendingPosts.length === 0) return null;
  return (
    <div id="waiting" className="mt-4 scroll-mt-16">
      {pendingPosts.map((it) => (
        <PendingPostText key={it.id} it={it} />
      ))}
    </div>
  );
}

/** One pending or returned post, with the actions of its author. */
export function PendingPostText({
  it: { id, html, createdAt, isReturned, answer, approvalReason },
}: {
  it: OwnPendingPost;
}) {
  const t = useTranslate();
  return (
    <div className="notice mb-3" data-tone="pending">
      <div>
        <p>
          {isReturned
            ? t("Returned. Edit and send again.")
            : t("Only you and moderators can read it until it is reviewed.")}
        </p>
        {!isReturned && <PendingReason reason={approvalReason} />}
        {answer && (
          <p dir="auto" className="break-words">
            {answer}
          </p>
        )}
        <Time at={createdAt} />
        <Prose html={html} />
        <ActionForm
          intent="withdraw"
          action={urls.drafts()}
          fields={{ pendingPostId: id }}
          busy={t("Saving…")}
        >
          {isReturned ? t("Dismiss") : t("Withdraw")}
        </ActionForm>
      </div>
    </div>
  );
}
