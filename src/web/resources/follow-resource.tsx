import type { Resource } from "#community/resources";
import { type LevelChoice, LevelMenu } from "../discussions/follow-menu.tsx";
import { ActionForm } from "../people/action-form.tsx";
import { useTranslate } from "../i18n/index.ts";

/** Menu with the viewer's follow level for a resource. */
export function FollowResource({ level }: Pick<Resource, "level">) {
  const t = useTranslate();
  const levels: LevelChoice<Resource["level"]>[] = [
    { value: "watching", name: t("Watching"), means: t("Notify me of every comment and new version") },
    { value: "normal", name: t("Normal"), means: t("Notify me of replies to me and mentions") },
    { value: "muted", name: t("Muted"), means: t("Nothing") },
  ];
  return <LevelMenu level={level} levels={levels} />;
}

/** Private bookmark. Others see only the number of bookmarks. */
export function BookmarkResource({
  bookmarked,
  bookmarks,
  title,
}: Pick<Resource, "bookmarked" | "bookmarks" | "title">) {
  const t = useTranslate();
  const label = bookmarked ? t("Bookmarked") : t("Bookmark");
  return (
    <ActionForm
      intent={bookmarked ? "remove-bookmark" : "bookmark"}
      fields={{}}
      kind="quiet"
      busy={t("Saving…")}
      label={bookmarked ? t("Remove bookmark: {title}", { title }) : t("Bookmark: {title}", { title })}
    >
      <i className={`icon size-4 ${bookmarked ? "icon-bookmark-check" : "icon-bookmark"}`} />
      {label}
      {bookmarks > 0 && <span className="figures text-quiet">{bookmarks}</span>}
    </ActionForm>
  );
}
