import { type GroupFacts, groupRules } from "./groups.ts";
import { isStaff, type Viewer } from "./viewer.ts";

/** Mail default of a kind: the mail level at which it is sent. */
type Mailed = "important" | "everything" | "never";
type KindFacts = {
  mail: Mailed;
  push: boolean;
  /** Seconds a mail is delayed, so that people who look meanwhile do not get it. */
  hold: number;
  /** Caused by a person, so that it can be filtered by sender. */
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

/** All notification kinds, in the order of the settings page. */
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
  // The security email is sent separately in any case.
  security: kind("never", true),
} as const satisfies Record<string, KindFacts>;

export type NotificationKind = keyof typeof KINDS;
export type MailLevel = "important" | "everything" | "nothing";
export type Choice = { shown: boolean; mailed: boolean; pushed: boolean };

export const NOTIFICATION_KINDS = Object.keys(KINDS) as NotificationKind[];

/** Tabs of the notification list; `apart` holds senders the person filters separately. */
export const NOTIFICATION_TABS = ["all", "unread", "mentions", "requests", "apart"] as const;
export type NotificationTab = (typeof NOTIFICATION_TABS)[number];

const mailedAt = (level: MailLevel, { mail }: KindFacts) =>
  mail === "important" ? level !== "nothing" : mail === "everything" && level === "everything";

export const notificationRules = {
  /** Default delivery of this kind. */
  usual: (it: NotificationKind, level: MailLevel): Choice => ({ shown: true, mailed: mailedAt(level, KINDS[it]), pushed: KINDS[it].push }),
  /** Send an announcement: admins to everyone, moderators to their group. */
  announce: (who: Viewer, group: GroupFacts | null) =>
    group ? group.state === "active" && groupRules.amend(who, group) : who.role === "admin" && !who.limited,
  /** Security emails are sent at once, whatever the choice. */
  mailedAnyway: (it: NotificationKind) => it === "security",
  /** Whether the person could get this kind: reports and approvals concern staff and moderators only. */
  concerns: (who: Viewer, it: NotificationKind) => !["report", "group_waits", "account_waits"].includes(it) || isStaff(who),
  /** Which channels can be chosen: reactions are never mailed, security is always shown. */
  open: (it: NotificationKind): Choice => ({ shown: it !== "security", mailed: KINDS[it].mail !== "never", pushed: true }),
};
