import type { Discussion } from "#community/discussions";
import { useGroupTexts } from "../groups/group-texts.ts";
import { Tag, Time, useMarkedName, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTitleAttributes, useTranslate } from "../i18n/index.ts";
import type { DiscussionData } from "./discussion-data.ts";
import { FollowMenu } from "./follow-menu.tsx";
import { useTimeFormats } from "./posts/activity-entries.tsx";
import { ModerationMenu } from "./manage/moderation-menu.tsx";
import { Link } from "../ui/navigation/link.tsx";

export function DiscussionHeader({
  discussion,
  can,
}: {
  discussion: Discussion;
  can: DiscussionData["can"];
}) {
  const t = useTranslate();
  const titleAttributes = useTitleAttributes();
  const markedName = useMarkedName();
  const { me } = useRootData();
  const { audience } = useGroupTexts();
  const { group } = discussion;
  const name = discussion.author ? markedName(discussion.author) : t("Someone");
  return (
    <header className="mb-4">
      <div className="flex items-center justify-between gap-3 text-small">
        <Link to={urls.group(group.slug)} dir="auto" className="font-semibold">
          {group.name}
        </Link>
        {/* Opens the sidebars on narrow screens, even without scripts; wide screens always show them. */}
        <button type="button" popoverTarget="beside" className="button -my-2 wide:hidden" data-kind="quiet">
          <i className="icon icon-messages-square size-4" />
          {t("Discussions")}
        </button>
      </div>
      <h1
        {...titleAttributes(discussion.language, discussion.title)}
        className="mt-1 font-serif text-title font-semibold phone:text-headline"
      >
        {discussion.title}
      </h1>
      <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 break-words text-small text-quiet">
        <DiscussionStates discussion={discussion} />
        <ScheduledChanges discussion={discussion} />
        <span>
          <Rich
            text="Started by {name} <0></0>"
            values={{ name }}
            parts={{ 0: <Time at={discussion.createdAt} /> }}
          />
        </span>
        <span aria-hidden>·</span>
        <span className="figures">
          {t("{count, plural, =0 {No replies} one {# reply} other {# replies}}", {
            count: discussion.replies,
          })}
        </span>
        <span aria-hidden>·</span>
        <span>{audience(group, discussion.audience)}</span>
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {discussion.tags.map((tag) => (
          <Tag key={tag} to={urls.group(group.slug, { tag })}>
            {tag}
          </Tag>
        ))}
        {me && (
          <span className="ms-auto flex flex-wrap gap-1">
            <FollowMenu level={discussion.level} />
            <ModerationMenu discussion={discussion} can={can} />
          </span>
        )}
      </div>
    </header>
  );
}

/** Slow mode and scheduled changes. */
function ScheduledChanges({
  discussion: { timer, timerAt, slowSeconds, slowUntil },
}: {
  discussion: Discussion;
}) {
  const t = useTranslate();
  const { date, seconds } = useTimeFormats();
  return (
    <>
      {timer && timerAt && (
        <span>
          {timer === "close"
            ? t("Closes {date}", { date: date(timerAt) })
            : t("Reopens {date}", { date: date(timerAt) })}
        </span>
      )}
      {slowSeconds > 0 && (
        <span>
          {slowUntil
            ? t("Slow mode until {date}: one reply per person in {time}", {
                date: date(slowUntil),
                time: seconds(slowSeconds),
              })
            : t("Slow mode: one reply per person in {time}", { time: seconds(slowSeconds) })}
        </span>
      )}
    </>
  );
}

/** States of the discussion (pinned, closed, answered …) as text. */
function DiscussionStates({
  discussion: { id, answer, resolvedAt, locked, pinnedAt, state },
}: {
  discussion: Discussion;
}) {
  const t = useTranslate();
  const icon = (name: string) => <i className={`icon icon-${name} me-1 size-3.5 align-[-2px]`} />;
  const sign = "rounded-full px-2 font-semibold";
  return (
    <>
      {resolvedAt && (
        <span className={`${sign} bg-accent-soft text-accent`}>
          {icon("circle-check")}
          {answer ? (
            <Link to={urls.discussion(id, { post: answer.number })}>
              {t("Answered in #{number}", { number: answer.number })}
            </Link>
          ) : (
            t("Answered")
          )}
        </span>
      )}
      {locked && (
        <span className={`${sign} bg-amber-soft text-amber`}>
          {icon("lock")}
          {t("Locked")}
        </span>
      )}
      {state === "archived" && (
        <span className={`${sign} bg-sunken text-quiet`}>
          {icon("archive")}
          {t("Archived")}
        </span>
      )}
      {pinnedAt && (
        <span className={`${sign} bg-sunken text-quiet`}>
          {icon("pin")}
          {t("Pinned")}
        </span>
      )}
    </>
  );
}
