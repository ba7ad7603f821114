import type { ReactNode } from "react";
import type { Discussion } from "#community/discussions";
import { ActionForm } from "../../people/action-form.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import type { DiscussionData } from "../discussion-data.ts";

type NoReplyProps = {
  discussion: Discussion;
  can: Pick<DiscussionData["can"], "join" | "limited">;
  above?: boolean;
};

/**
 * Says why the viewer cannot reply, and offers a way to change that. The notice replaces the reply form, or
 * is `above` a form that was closed while it was being filled in.
 */
export function NoReplyNotice({ discussion, can, above = false }: NoReplyProps) {
  const t = useTranslate();
  const { group } = discussion;
  if (discussion.state !== "open" || group.state !== "active")
    return (
      <NoticeRow above={above} icon={<i className="icon icon-archive mt-0.5 text-quiet" />}>
        {t("This is archived and read-only.")}
      </NoticeRow>
    );
  if (discussion.locked)
    return (
      <NoticeRow above={above} icon={<i className="icon icon-lock mt-0.5 text-quiet" />}>
        <span className="font-semibold">{t("This discussion is closed for replies.")}</span>
        {discussion.lockedReason && (
          <span dir="auto" className="block text-quiet">
            {discussion.lockedReason}
          </span>
        )}
      </NoticeRow>
    );
  if (can.limited)
    return (
      <NoticeRow above={above} icon={<i className="icon icon-lock mt-0.5 text-quiet" />}>
        <Link to={urls.loginPage("standing")}>{t("Your account cannot post at the moment.")}</Link>
      </NoticeRow>
    );
  if (can.join)
    return (
      <NoticeRow above={above} icon={<i className="icon icon-user-plus mt-0.5 text-quiet" />}>
        <span className="block">{t("Only members of {group} can post here.", { group: group.name })}</span>
        <span className="mt-2 block">
          <ActionForm
            intent="join"
            fields={{ groupId: group.id, back: `${urls.discussion(discussion.id)}#reply` }}
            action={urls.group(group.slug)}
            kind="primary"
            busy={t("Joining…")}
          >
            <span className="break-words">{t("Join {group}", { group: group.name })}</span>
          </ActionForm>
        </span>
      </NoticeRow>
    );
  return (
    <NoticeRow above={above} icon={<i className="icon icon-lock mt-0.5 text-quiet" />}>
      <Rich
        text="Only members of <0>{group}</0> can post here."
        values={{ group: group.name }}
        parts={{ 0: <Link to={urls.group(group.slug)} /> }}
      />
    </NoticeRow>
  );
}

const NoticeRow = ({ icon, above, children }: { icon: ReactNode; above: boolean; children: ReactNode }) => (
  <section id={above ? undefined : "reply"} className="notice mt-6">
    {icon}
    <div>{children}</div>
  </section>
);
