import type { PostView } from "#community/discussions";
import { ActionForm } from "../../people/action-form.tsx";
import { dateFormat } from "../../ui/text/intl-formats.ts";
import { ButtonLink, useRootData } from "../../ui/index.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { type PostDisplayContext, postLink } from "./post-context.ts";

/** Notice above a hidden post: why it is hidden, and what its author or moderators can do. */
export function HiddenNotice({ post, context }: { post: PostView; context: PostDisplayContext }) {
  const t = useTranslate();
  const { now, timeZone } = useRootData();
  const clock = dateFormat(useLocale(), { timeStyle: "short", timeZone });
  const { reported = false, returned = false, mendable } = post.hidden ?? {};
  return (
    <div className="notice mb-3" data-tone="pending" role="note">
      <div className="grid flex-1 justify-items-start gap-2">
        <p>
          {reported && t("Several people reported this.")}{" "}
          {post.mine
            ? t("Only you and moderators can read it until it is reviewed.")
            : t("Only the author and moderators can read it until it is reviewed.")}{" "}
          {mendable &&
            (returned
              ? t("A moderator asked for changes: edit it and a moderator reviews it again.")
              : mendable.getTime() > now
                ? t("You can edit it once, from {time} on; then it is shown again.", {
                    time: clock.format(mendable),
                  })
                : t("You can edit it once; then it is shown again."))}
        </p>
        {mendable && mendable.getTime() <= now && (
          <ButtonLink
            to={postLink(context, post.number, { edit: post.id })}
            aria-label={t("Edit post {number}", { number: post.number })}
          >
            {t("Edit")}
          </ButtonLink>
        )}
        {context.can.moderate && !post.mine && (
          <ActionForm
            intent="unhide-post"
            fields={{ postId: post.id }}
            busy={t("Showing…")}
            label={t("Show to everyone: post {number}", { number: post.number })}
          >
            {t("Show to everyone")}
          </ActionForm>
        )}
      </div>
    </div>
  );
}
