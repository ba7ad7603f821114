import type { Group } from "#community/groups";
import { HeldList } from "../../moderation/held-list.tsx";
import { NextPage } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import type { ManageContent } from "./manage-data.ts";

/** Posts of new members in the group that wait for a moderator. */
export function FirstPosts({ group, content: { rows, next } }: { group: Group; content: ManageContent<"posts"> }) {
  const t = useWords();
  return (
    <>
      <h2 className="sr-only">{t("First posts")}</h2>
      <HeldList rows={rows} ofOne />
      <NextPage to={next && urls.manageGroup(group.slug, "posts", { after: next })} />
    </>
  );
}
