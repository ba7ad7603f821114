import type { Group } from "#community/groups";
import { PendingPostList } from "../../moderation/pending/pending-post-list.tsx";
import { NextPageLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ManageContent } from "./manage-group-data.ts";

/** Posts of new members in the group that wait for a moderator. */
export function GroupPendingPosts({
  group,
  content: { rows, next },
}: {
  group: Group;
  content: ManageContent<"posts">;
}) {
  const t = useTranslate();
  return (
    <>
      <h2 className="sr-only">{t("Pending posts")}</h2>
      <PendingPostList rows={rows} ofOne />
      <NextPageLink to={next && urls.manageGroup(group.slug, "posts", { after: next })} />
    </>
  );
}
