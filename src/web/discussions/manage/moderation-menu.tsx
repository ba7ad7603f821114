import type { Discussion } from "#community/discussions";
import { ActionForm } from "../../people/action-form.tsx";
import { Menu } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { DiscussionData } from "../discussion-data.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** Actions for the discussion's author and moderators. */
export function ModerationMenu({ discussion, can }: { discussion: Discussion; can: DiscussionData["can"] }) {
  const t = useTranslate();
  if (!can.moderate && !can.resolve && !can.rename) return null;
  const leadTo = (action: string, words: string) => (
    <Link to={urls.manageDiscussion(discussion.id, { do: action })} className="menu-item">
      {words}
    </Link>
  );
  const mark = discussion.resolvedAt ? t("Mark as not answered") : t("Mark as answered");
  return (
    <Menu label={t("More actions for this discussion")} summary={<i className="icon icon-ellipsis" />}>
      {can.resolve === "own" && (
        <ActionForm
          inMenu
          intent={discussion.resolvedAt ? "reopen" : "resolve"}
          fields={{}}
          busy={t("Marking…")}
        >
          {mark}
        </ActionForm>
      )}
      {can.resolve === "lead" && leadTo("answer", mark)}
      {can.moderate && leadTo("pin", discussion.pinnedAt ? t("Edit pin…") : t("Pin…"))}
      {can.arrange && (
        <ActionForm
          inMenu
          intent="add-start-item"
          fields={{ address: urls.discussion(discussion.id) }}
          action={urls.manageGroup(discussion.group.slug, "start")}
          busy={t("Saving…")}
        >
          {t("Add to “Start here”")}
        </ActionForm>
      )}
      {can.moderate && leadTo("lock", discussion.locked ? t("Unlock…") : t("Lock…"))}
      {can.rename &&
        leadTo("title", can.moderate ? t("Title, slow mode, archive, more…") : t("Edit title and tags…"))}
    </Menu>
  );
}
