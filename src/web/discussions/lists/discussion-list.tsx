import { Fragment, type MouseEvent } from "react";
import type { DiscussionRow } from "#community/discussions";
import { CountBadge, Tag, Time, useMarkedName } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTitleAttributes, useTranslate } from "../../i18n/index.ts";
import { AuthorAvatar } from "../posts/author-avatar.tsx";
import { Link } from "../../ui/navigation/link.tsx";
import { CollapsedByFilter } from "../posts/collapsed-post.tsx";

type ListedDiscussion = DiscussionRow & { restorableUntil?: Date };
type DiscussionListItemProps = {
  row: ListedDiscussion;
  excerpt?: string;
  /** Whether all discussions are in one group, so that rows do not name the group. */
  inGroup?: boolean;
};

/** A discussion in a list. The whole row is a link to its first unread post. */
export function DiscussionListItem({ row, excerpt, inGroup = false }: DiscussionListItemProps) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  return (
    <li className="whole-row flex gap-3 border-b border-line py-3.5 last:border-b-0" data-item>
      <AuthorAvatar person={row.author} size={40} />
      <div className="min-w-0 flex-1">
        <h3
          className={`font-serif text-read leading-6 text-pretty ${row.unread ? "font-semibold" : "font-medium"}`}
        >
          <Link
            to={urls.discussion(row.id, row.firstUnread ? { post: row.firstUnread } : {})}
            {...titleAttributes(row.language, row.title)}
            className="break-words text-ink"
            data-unread={row.unread > 0 || undefined}
          >
            {row.title}
          </Link>
          <DiscussionMarks row={row} />
        </h3>
        {excerpt && (
          <p dir="auto" className="mt-0.5 line-clamp-2 text-quiet">
            {excerpt}
          </p>
        )}
        <p className="mt-0.5 text-small leading-6 break-words text-quiet">
          {!inGroup && (
            <>
              <Link to={urls.group(row.group.slug)} dir="auto" className="text-quiet">
                {row.group.name}
              </Link>{" "}
              ·{" "}
            </>
          )}
          {row.restorableUntil ? (
            <Rich text="Deleted, will be erased <0></0>" parts={{ 0: <Time at={row.restorableUntil} /> }} />
          ) : (
            <LastPost row={row} />
          )}
          {row.tags.map((tag) => (
            <Fragment key={tag}>
              {" "}
              <Tag to={urls.group(row.group.slug, { tag })}>{tag}</Tag>
            </Fragment>
          ))}
        </p>
      </div>
      <div className="flex flex-none flex-col items-end gap-1 text-small text-quiet figures">
        <span>
          {t("{count, plural, =0 {No replies} one {# reply} other {# replies}}", { count: row.replies })}
        </span>
        {row.isNew ? (
          <span className="count" data-new>
            {t("new")}
          </span>
        ) : (
          row.unread > 0 && <CountBadge n={row.unread} fresh of={t("unread")} />
        )}
      </div>
    </li>
  );
}

/** The names of the starter and the last replier. */
function LastPost({ row: { replies, author, lastPoster, createdAt, lastPostAt } }: { row: DiscussionRow }) {
  const t = useTranslate();
  const markedName = useMarkedName();
  const starter = author ? markedName(author) : t("Someone");
  if (replies === 0)
    return (
      <Rich
        text="Started by {name} <0></0>"
        values={{ name: starter }}
        parts={{ 0: <Time at={createdAt} /> }}
      />
    );
  const name = lastPoster ? markedName(lastPoster) : t("Someone");
  return (
    <>
      {t("Started by {name}", { name: starter })} ·{" "}
      <Rich text="{name} replied <0></0>" values={{ name }} parts={{ 0: <Time at={lastPostAt} /> }} />
    </>
  );
}

/** States of a discussion as icons with accessible names. */
export function DiscussionMarks({
  row,
}: {
  row: Pick<DiscussionRow, "pinned" | "locked" | "resolved" | "archived">;
}) {
  const t = useTranslate();
  const marks: [boolean, string, string][] = [
    [row.pinned, "icon-pin", t("Pinned")],
    [row.resolved, "icon-circle-check text-accent", t("Answered")],
    [row.locked, "icon-lock", t("Locked")],
    [row.archived, "icon-archive", t("Archived")],
  ];
  const shown = marks
    .filter(([is]) => is)
    .map(([, icon, name]) => (
      <i key={icon} role="img" aria-label={name} className={`icon size-[15px] align-[-2px] ${icon}`} />
    ));
  return shown.length === 0 ? null : (
    <span className="ms-1.5 inline-flex gap-1 align-baseline text-quiet">{shown}</span>
  );
}

/**
 * Opens the row on a click on its text, which lies above the link that covers the row, so that it can be selected
 * (`rail.css`).
 */
function openRow({ target, nativeEvent }: MouseEvent<HTMLElement>) {
  if (!(target instanceof Element) || !getSelection()?.isCollapsed) return;
  if (target.closest("a, button, summary")) return;
  const click = new globalThis.MouseEvent("click", nativeEvent);
  target.closest(".whole-row")?.querySelector("h3 a")?.dispatchEvent(click);
}

export const DiscussionList = ({
  rows,
  inGroup,
}: {
  rows: (ListedDiscussion & {
    excerpt?: string;
    /** The filtered phrase because of which the discussion is collapsed. */
    filtered?: string;
  })[];
  inGroup?: boolean;
}) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- keyboards have the link
  <ul onClick={openRow}>
    {rows.map((row) => {
      const line = <DiscussionListItem key={row.id} row={row} excerpt={row.excerpt} inGroup={inGroup} />;
      return row.filtered === undefined ? (
        line
      ) : (
        <li key={row.id} className="border-b border-line py-2 last:border-b-0">
          <CollapsedByFilter phrase={row.filtered}>
            <ul>{line}</ul>
          </CollapsedByFilter>
        </li>
      );
    })}
  </ul>
);
