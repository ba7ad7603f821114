import type { ImportRun } from "#community/import-export";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import { useLocale, useTranslate } from "../../i18n/index.ts";

type Tone = "good" | "bad" | "pending" | undefined;

/** Label of a run's state. */
export function useImportStateLabels(): (state: ImportRun["state"]) => { words: string; tone: Tone } {
  const t = useTranslate();
  return (state) =>
    ({
      waiting: { words: t("waiting"), tone: "pending" as const },
      checking: { words: t("preparing preview"), tone: "pending" as const },
      checked: { words: t("ready"), tone: undefined },
      running: { words: t("importing"), tone: "pending" as const },
      broken: { words: t("interrupted"), tone: "bad" as const },
      done: { words: t("imported"), tone: "good" as const },
      undoing: { words: t("undoing"), tone: "pending" as const },
      undone: { words: t("undone"), tone: undefined },
    })[state];
}

export const isImportActive = (state: ImportRun["state"]) =>
  ["waiting", "checking", "running", "undoing"].includes(state);

/** Names of formats are not translated. */
export const FORMAT_NAMES: Record<string, string> = {
  ndjson: "Kith, NDJSON",
  discourse: "Discourse",
  "stack-exchange": "Stack Exchange",
  slack: "Slack",
  mbox: "mbox",
  csv: "CSV",
};

/** Labels of record kinds as column headings. */
export function useRecordKindLabels(): Record<keyof ImportRun["counts"], string> {
  const t = useTranslate();
  return {
    user: t("People"),
    group: t("Groups"),
    membership: t("Memberships"),
    friendship: t("Friendships"),
    block: t("Blocks"),
    discussion: t("Discussions"),
    post: t("Posts"),
    revision: t("Revisions"),
    vote: t("Votes"),
    reaction: t("Reactions"),
    reading: t("Reading positions"),
    conversation: t("Conversations"),
    message: t("Messages"),
    "message-reaction": t("Reactions to messages"),
    file: t("Files"),
    resource: t("Resources"),
    version: t("Versions of resources"),
    use: t("Posts in which resources are used"),
    collection: t("Collections"),
    line: t("Activity entries"),
    start: t("Start-here items"),
    follow: t("Followed resources"),
    bookmark: t("Bookmarks"),
    mute: t("Muted people"),
    "event-series": t("Series of events"),
    event: t("Events", undefined, "calendar"),
    attendance: t("Answers to events"),
    "date-poll": t("Date polls"),
    "date-poll-answer": t("Answers to date polls"),
    setting: t("Settings"),
    unreadable: t("Cannot be read"),
  };
}

export function useFormatNumber(): (n: number) => string {
  const locale = useLocale();
  return (n) => numberFormat(locale).format(n);
}
