import type { OwnPendingPost } from "#community/discussions";
import { PendingReason } from "../../moderation/pending/pending-reason.tsx";
import { ActionForm } from "../../people/action-form.tsx";
import { ButtonLink, Prose, Time } from "../../ui/index.ts";
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
  it: { id, html, createdAt, isReturned, answer, approvalReason, isChange, resource, changesTo, place },
}: {
  it: OwnPendingPost;
}) {
  const t = useTranslate();
  return (
    <div className="notice mb-3" data-tone="pending">
      <div>
        <p>
          {isReturned
            ? isChange
              ? t("A moderator asked for changes: edit it and a moderator reviews it again.")
              : t("Returned. Edit and send again.")
            : t("Only you and moderators can read it until it is reviewed.")}
        </p>
        {!isReturned && !isChange && <PendingReason reason={approvalReason} />}
        {answer && (
          <p dir="auto" className="break-words">
            {answer}
          </p>
        )}
        <Time at={createdAt} />
        <Prose html={html} />
        {isChange ? (
          place && (
            <ButtonLink to={postUrl(place, changesTo)}>
              {resource ? t("Open resource") : t("Open post")}
            </ButtonLink>
          )
        ) : (
          <ActionForm
            intent="withdraw"
            action={urls.drafts()}
            fields={{ pendingPostId: id }}
            busy={t("Saving…")}
          >
            {isReturned ? t("Dismiss") : t("Withdraw")}
          </ActionForm>
        )}
      </div>
    </div>
  );
}

/** URL of the hidden post, where its author can edit it. */
const postUrl = ({ kind, id }: NonNullable<OwnPendingPost["place"]>, post: number | null): string =>
  (kind === "resource" ? urls.resource : urls.discussion)(id, post === null ? {} : { post });
