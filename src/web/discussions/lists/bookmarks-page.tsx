import { type Bookmark, getOwnBookmark, listBookmarks, removeBookmark } from "#community/discussions";
import { isId } from "#platform/ids";
import { msg } from "#platform/messages";
import { requireMember } from "../../auth-middleware.ts";
import { readQueryParam } from "../../form-parsing.ts";
import { redirectFromEmptyPage } from "../../list-pagination.ts";
import { ActionForm } from "../../people/action-form.tsx";
import {
  ButtonLink,
  EmptyState,
  NextPageLink,
  PageHeader,
  pageMeta,
  RefusalNotice,
  Time,
  useMarkedName,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { redirectWithNotice } from "../../notices/notice.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTitleAttributes, useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/bookmarks-page";
import { useTimeFormats } from "../posts/activity-entries.tsx";
import { Link } from "../../ui/navigation/link.tsx";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, url }) => {
  const page = await listBookmarks(db, viewer, { after: readQueryParam(url, "after", 200) || undefined });
  // If the last bookmark of this page was removed, the first page is opened.
  redirectFromEmptyPage(url, page.rows);
  return page;
});

export const action = defineAction(async ({ app, ctx, viewer, form, url }) => {
  const postId = String(form.get("postId"));
  const before = await app.database.inTransaction(async (tx) => {
    const bookmark = isId(postId) ? await getOwnBookmark(tx, viewer, postId) : null;
    await removeBookmark(tx, viewer, { postId });
    return bookmark;
  });
  return redirectWithNotice(ctx, {
    to: url.pathname + url.search,
    notice: {
      message: msg("Bookmark removed."),
      undo: before
        ? {
            command: "bookmark-post",
            fields: { postId, note: before.note, remindAt: String(before.remindAt?.getTime() ?? "") },
          }
        : undefined,
    },
  });
});

export const meta = pageMeta((_data, t) => ({ title: t("Bookmarks"), hidden: true }));

export default function BookmarksPage({ loaderData: { rows, next } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Bookmarks")} lead={t("Saved posts. Only you see them.")} />
      <RefusalNotice />
      {rows.length === 0 && (
        <EmptyState
          title={t("You have no bookmarks yet.")}
          action={<ButtonLink to={urls.discussions()}>{t("Browse the latest")}</ButtonLink>}
        >
          {t("Every post's menu has “Bookmark…”, with an optional reminder.")}
        </EmptyState>
      )}
      <ul>
        {rows.map((row) => (
          <li key={row.postId} className="border-b border-line py-3.5 last:border-b-0" data-item>
            <BookmarkRow row={row} />
          </li>
        ))}
      </ul>
      <NextPageLink to={next && urls.bookmarks({ after: next })} />
    </>
  );
}

function BookmarkRow({ row }: { row: Bookmark }) {
  const t = useTranslate();
  const markedName = useMarkedName();
  const { date } = useTimeFormats();
  const { discussion, author, number, note, excerpt, remindAt, due, postId } = row;
  return (
    <>
      <h2 className="font-serif text-read leading-6 font-medium">
        <Link
          to={urls.discussion(discussion.id, { post: number })}
          {...useTitleAttributes()(discussion.language, discussion.title)}
          className="break-words text-ink"
        >
          {discussion.title}
        </Link>
        {due && (
          <span className="count ms-2" data-new>
            {t("due")}
          </span>
        )}
      </h2>
      {note && (
        <p dir="auto" className="mt-0.5 break-words">
          {note}
        </p>
      )}
      <p dir="auto" className="mt-0.5 line-clamp-2 break-words text-quiet">
        {excerpt}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-x-3 text-small text-quiet">
        <span>
          {author ? markedName(author) : t("Someone")}, #{number}
        </span>
        <Time at={row.createdAt} />
        {remindAt && !due && <span>{t("Reminder: {date}", { date: date(remindAt) })}</span>}
        <ActionForm
          intent="remove"
          kind="quiet"
          fields={{ postId }}
          busy={t("Removing…")}
          label={t("Remove bookmark of post {number} in {title}", { number, title: discussion.title })}
        >
          {t("Remove")}
        </ActionForm>
      </div>
    </>
  );
}
