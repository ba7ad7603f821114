import type { ReactNode } from "react";
import type { ActivityEntry, PostView } from "#community/discussions";
import { dateFormat, numberFormat } from "../../ui/text/intl-formats.ts";
import { Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { languageName, Rich, useLocale, useTranslate } from "../../i18n/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { useTimeZone } from "../../ui/hooks/use-time-zone.ts";

/** Changes of the discussion, as small entries between posts. */
export const ActivityEntries = ({ entries }: { entries: ActivityEntry[] }) =>
  entries.map((entry) => (
    <p key={entry.id} className="py-2 text-center text-small text-pretty break-words text-quiet" dir="auto">
      <EntryText line={entry} /> · <Time at={entry.at} />
      {entry.reason && <span className="block">{entry.reason}</span>}
    </p>
  ));

/**
 * Groups entries by the number of the post that follows them, and returns those after the last post
 * separately.
 */
export function groupEntriesByPost(posts: PostView[], entries: ActivityEntry[]) {
  const before = new Map<number, ActivityEntry[]>();
  let rest = entries;
  for (const { number, createdAt } of posts) {
    const here = rest.filter((entry) => entry.at < createdAt);
    if (here.length > 0) before.set(number, here);
    rest = rest.slice(here.length);
  }
  return { before, rest };
}

function EntryText({ line: entry }: { line: ActivityEntry }): ReactNode {
  const t = useTranslate();
  const spoken = useTimeFormats();
  const locale = useLocale();
  const { details, otherDiscussion, otherGroup } = entry;
  const name = entry.by?.name ?? t("Someone");
  const date = details.until ? spoken.date(details.until) : "";
  const there = otherDiscussion && <Link to={urls.discussion(otherDiscussion.id)} className="text-quiet" />;
  switch (entry.kind) {
    case "locked":
      return details.byItself ? t("Closed for replies automatically") : t("{name} locked this", { name });
    case "unlocked":
      return details.byItself ? t("Reopened for replies automatically") : t("{name} unlocked this", { name });
    case "pinned":
      return date ? t("{name} pinned this until {date}", { name, date }) : t("{name} pinned this", { name });
    case "unpinned":
      return details.byItself ? t("Unpinned automatically") : t("{name} unpinned this", { name });
    case "renamed":
      return t("{name} changed the title from “{was}” to “{became}”", {
        name,
        was: details.was,
        became: details.became,
      });
    case "tagged":
      return <TagsEntry name={name} details={details} />;
    case "language-changed":
      return t("{name} changed the language from {was} to {became}", {
        name,
        was: languageName(locale, details.was ?? ""),
        became: languageName(locale, details.became ?? ""),
      });
    case "resolved":
      return t("{name} marked this as answered", { name });
    case "reopened":
      return t("{name} marked this as not answered", { name });
    case "archived":
      return t("{name} archived this", { name });
    case "unarchived":
      return t("{name} unarchived this", { name });
    case "deleted":
      return t("{name} deleted this", { name });
    case "restored":
      return t("{name} restored this", { name });
    case "slowed":
      if (details.byItself) return t("Slow mode ended automatically");
      if (details.seconds && date)
        return t("{name} turned slow mode on until {date}: one reply per person in {time}", {
          name,
          date,
          time: spoken.seconds(details.seconds),
        });
      return details.seconds
        ? t("{name} turned slow mode on: one reply per person in {time}", {
            name,
            time: spoken.seconds(details.seconds),
          })
        : t("{name} turned slow mode off", { name });
    case "timed":
      return details.timer === "close"
        ? t("{name} set a timer: closes {date}", { name, date })
        : t("{name} set a timer: reopens {date}", { name, date });
    case "untimed":
      return t("{name} cancelled the timer", { name });
    case "moved":
      return otherGroup ? (
        <Rich
          text="{name} moved this here from <0>{group}</0>"
          values={{ name, group: otherGroup.name }}
          parts={{ 0: <Link to={urls.group(otherGroup.slug)} className="text-quiet" /> }}
        />
      ) : (
        t("{name} moved this here from another group", { name })
      );
    case "split":
      return there ? (
        <Rich
          text="{name} moved {count, plural, one {one post} other {# posts}} to <0>{title}</0>"
          values={{ name, count: details.posts, title: otherDiscussion.title }}
          parts={{ 0: there }}
        />
      ) : (
        t("{name} moved {count, plural, one {one post} other {# posts}} to another discussion", {
          name,
          count: details.posts,
        })
      );
    case "split-off":
      return there ? (
        <Rich
          text="{name} split this off from <0>{title}</0>"
          values={{ name, title: otherDiscussion.title }}
          parts={{ 0: there }}
        />
      ) : (
        t("{name} split this off from another discussion", { name })
      );
    case "merged":
      return t("{name} merged “{was}” into this", { name, was: details.was });
  }
}

function TagsEntry({ name, details: { was, became } }: { name: string; details: ActivityEntry["details"] }) {
  const t = useTranslate();
  if (!was) return t("{name} added the tags “{became}”", { name, became });
  return became
    ? t("{name} changed the tags from “{was}” to “{became}”", { name, was, became })
    : t("{name} removed the tags “{was}”", { name, was });
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats dates and durations in the reader's language and time zone. */
export function useTimeFormats() {
  const locale = useLocale();
  const timeZone = useTimeZone();
  return {
    date: (at: string | Date) =>
      dateFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(new Date(at)),
    seconds(seconds: number) {
      const [unit, size] = UNITS.find(([, length]) => seconds % length === 0)!;
      return numberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
    },
  };
}
