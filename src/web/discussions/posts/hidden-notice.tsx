import type { PostView } from "#community/discussions";
import { ActionForm } from "../../people/action-form.tsx";
import { dateFormat } from "../../ui/text/intl-formats.ts";
import { ButtonLink, useRootData } from "../../ui/index.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";
import { type PostContext, postLink } from "./post-context.ts";

/** Above a hidden post: why it is hidden, and what its author or moderators can do. */
export function HiddenNotice({ post, it }: { post: PostView; it: PostContext }) {
  const t = useTranslate();
  const { now, timeZone } = useRootData();
  const clock = dateFormat(useLocale(), { timeStyle: "short", timeZone });
  const { reported = false, mendable } = post.hidden ?? {};
  return (
    <div className="notice mb-3" data-tone="pending" role="note">
      <div className="grid flex-1 justify-items-start gap-2">
        <p>
          {reported && t("Several people have reported this.")}{" "}
          {post.mine
            ? t("Only you and those who look after this place read it until somebody has looked at it.")
            : t("Only its author and those who look after this place read it until somebody has looked at it.")}{" "}
          {mendable &&
            (mendable.getTime() > now
              ? t("You can change it once, from {time} on: then everybody reads it again.", { time: clock.format(mendable) })
              : t("You can change it once: then everybody reads it again."))}
        </p>
        {mendable && mendable.getTime() <= now && (
          <ButtonLink to={postLink(it, post.number, { edit: post.id })} aria-label={t("Change it: post {number}", { number: post.number })}>
            {t("Change it")}
          </ButtonLink>
        )}
        {it.may.moderate && !post.mine && (
          <ActionForm
            intent="show-post"
            fields={{ postId: post.id }}
            busy={t("Showing…")}
            label={t("Let everybody read it again: post {number}", { number: post.number })}
          >
            {t("Let everybody read it again")}
          </ActionForm>
        )}
      </div>
    </div>
  );
}
