import type { OwnPendingPost } from "#community/discussions";
import { PendingReason } from "../../moderation/pending-reason.tsx";
import { PendingResource } from "../../moderation/pending-resource.tsx";
import { ActionForm } from "../../people/action-form.tsx";
import { Prose, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
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

/** The form in which a returned resource is sent again. A returned document is in the author's draft. */
const newResourceUrl = (
  id: string,
  { kind, file }: NonNullable<OwnPendingPost["resource"]>,
  group: string | undefined,
): string =>
  kind === "document"
    ? urls.newResource({ kind, group })
    : file
      ? urls.newFiles({ group, files: file.id })
      : urls.newResource({ kind: "link", group, returned: id });

/** One pending or returned post or resource, with the actions of its author. */
export function PendingPostText({
  it: { id, html, resource, place, createdAt, isReturned, answer, approvalReason },
}: {
  it: OwnPendingPost;
}) {
  const t = useTranslate();
  return (
    <div className="notice mb-3" data-tone="pending">
      <div>
        <p>
          {isReturned && resource
            ? t("This resource was returned to you: edit it and send it again.")
            : isReturned
              ? t("This post was returned to you: edit it and send it again.")
              : t("Only you and moderators can read it until it is reviewed.")}
        </p>
        {!isReturned && <PendingReason reason={approvalReason} />}
        {answer && (
          <p dir="auto" className="break-words">
            {answer}
          </p>
        )}
        <Time at={createdAt} />
        {resource && <PendingResource resource={resource} />}
        <Prose html={html} />
        {isReturned && resource && (
          <p className="mb-2">
            <Link to={newResourceUrl(id, resource, place?.id)} className="button">
              {t("Edit and send again")}
            </Link>
          </p>
        )}
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
