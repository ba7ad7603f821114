import { type GroupFacts, groupRules } from "./groups.ts";
import { isStaff, type Viewer } from "./viewer.ts";

/** When a kind goes out by mail to who chose nothing of their own: by how much mail they want. */
type Mailed = "important" | "everything" | "never";
type KindFacts = {
  mail: Mailed;
  push: boolean;
  /** Seconds that a mail waits, so that whoever looks meanwhile is spared it. */
  hold: number;
  /** Comes from a person, whose doings can be looked at apart. */
  fromSomebody: boolean;
};

const MINUTE = 60;
const kind = (mail: Mailed, push: boolean, more: Partial<KindFacts> = {}): KindFacts => ({
  mail,
  push,
  hold: 10 * MINUTE,
  fromSomebody: false,
  ...more,
});
const somebody = { fromSomebody: true };
const soon = { fromSomebody: true, hold: 2 * MINUTE };

/** Everything that somebody is told of, in the order in which settings list it. */
export const KINDS = {
  reply: kind("important", true, somebody),
  mention: kind("important", true, somebody),
  message: kind("important", true, soon),
  message_request: kind("important", false, soon),
  new_reply: kind("everything", false, somebody),
  new_discussion: kind("everything", false, somebody),
  reaction: kind("never", false, somebody),
  comment: kind("important", false, somebody),
  version: kind("everything", false, somebody),
  dead_link: kind("important", false),
  new_results: kind("everything", false),
  bookmark: kind("important", true),
  friend_request: kind("important", true, somebody),
  friend_accepted: kind("everything", false, somebody),
  group_invitation: kind("important", true, somebody),
  group_request: kind("important", false),
  group_appeal: kind("important", false),
  group_decision: kind("important", true),
  group_role: kind("important", false),
  new_address: kind("never", false, somebody),
  group_opening: kind("important", false),
  group_archived: kind("everything", false),
  announcement: kind("important", false),
  post_removed: kind("important", false),
  changed: kind("important", false),
  post_waits: kind("important", false),
  post_decided: kind("important", true),
  group_waits: kind("important", false),
  account_waits: kind("important", false),
  report: kind("important", false),
  report_decision: kind("important", false),
  // What it is about goes out by a letter of its own in any case.
  security: kind("never", true),
} as const satisfies Record<string, KindFacts>;

export type NotificationKind = keyof typeof KINDS;
export type MailLevel = "important" | "everything" | "nothing";
export type Choice = { shown: boolean; mailed: boolean; pushed: boolean };

export const NOTIFICATION_KINDS = Object.keys(KINDS) as NotificationKind[];

/** How the list of notifications can be looked at; `apart` is the folder of senders whom somebody wants to look at separately. */
export const NOTIFICATION_TABS = ["all", "unread", "mentions", "requests", "apart"] as const;
export type NotificationTab = (typeof NOTIFICATION_TABS)[number];

const mailedAt = (level: MailLevel, { mail }: KindFacts) =>
  mail === "important" ? level !== "nothing" : mail === "everything" && level === "everything";

export const notificationRules = {
  /** What holds for who chose nothing of their own for this kind. */
  usual: (it: NotificationKind, level: MailLevel): Choice => ({ shown: true, mailed: mailedAt(level, KINDS[it]), pushed: KINDS[it].push }),
  /** Say something to all: admins to everybody, those who look after a group to its members. */
  announce: (who: Viewer, group: GroupFacts | null) =>
    group ? group.state === "active" && groupRules.amend(who, group) : who.role === "admin" && !who.limited,
  /** Of the safety of an account a letter of its own goes out at once, whatever somebody has chosen. */
  mailedAnyway: (it: NotificationKind) => it === "security",
  /** Whether somebody could ever be told of this kind: of reports, and of groups and accounts that wait, hear those who look after the place. */
  concerns: (who: Viewer, it: NotificationKind) => !["report", "group_waits", "account_waits"].includes(it) || isStaff(who),
  /** What can be chosen: reactions are never mailed, and what concerns an account's safety is always shown. */
  open: (it: NotificationKind): Choice => ({ shown: it !== "security", mailed: KINDS[it].mail !== "never", pushed: true }),
};
