import { type GroupFacts, groupRules } from "./groups.ts";
import { isStaff, type Viewer } from "./viewer.ts";

/** Mail default of a kind: the mail level at which it is sent. */
type MailDefault = "important" | "everything" | "never";
type KindFacts = {
  mail: MailDefault;
  push: boolean;
  /** Seconds by which a mail is delayed, so that people who look at the site meanwhile do not get it. */
  hold: number;
  /** A person caused the notification, so filters by sender apply. */
  fromSomebody: boolean;
  /** Many people get mail of this kind at once, so it has lower priority than other mail. */
  bulk: boolean;
};

const MINUTE = 60;
const defineKind = (mail: MailDefault, push: boolean, more: Partial<KindFacts> = {}): KindFacts => ({
  mail,
  push,
  hold: 10 * MINUTE,
  fromSomebody: false,
  bulk: false,
  ...more,
});
const fromPerson = { fromSomebody: true };
const onTime = { hold: 0, bulk: true };
const fromPersonSoon = { fromSomebody: true, hold: 2 * MINUTE };

/** All notification kinds, in the order of the settings page. */
export const NOTIFICATION_KIND_DEFINITIONS = {
  reply: defineKind("important", true, fromPerson),
  mention: defineKind("important", true, fromPerson),
  message: defineKind("important", true, fromPersonSoon),
  message_request: defineKind("important", false, fromPersonSoon),
  new_reply: defineKind("everything", false, fromPerson),
  new_discussion: defineKind("everything", false, fromPerson),
  new_event: defineKind("everything", false, fromPerson),
  new_date_poll: defineKind("everything", false, fromPerson),
  event_date: defineKind("important", true, fromPersonSoon),
  event_changed: defineKind("important", true, { hold: 2 * MINUTE }),
  event_host: defineKind("important", false, { hold: 2 * MINUTE }),
  event_place: defineKind("important", true, { hold: 2 * MINUTE }),
  event_tomorrow: defineKind("important", true, onTime),
  event_soon: defineKind("everything", true, onTime),
  reaction: defineKind("never", false, fromPerson),
  comment: defineKind("important", false, fromPerson),
  version: defineKind("everything", false, fromPerson),
  dead_link: defineKind("important", false),
  new_results: defineKind("everything", false),
  bookmark: defineKind("important", true),
  friend_request: defineKind("important", true, fromPerson),
  friend_accepted: defineKind("everything", false, fromPerson),
  group_invitation: defineKind("important", true, fromPerson),
  group_request: defineKind("important", false),
  group_appeal: defineKind("important", false),
  group_decision: defineKind("important", true),
  group_role: defineKind("important", false),
  new_address: defineKind("never", false, fromPerson),
  group_opening: defineKind("important", false),
  group_archived: defineKind("everything", false),
  announcement: defineKind("important", false),
  post_removed: defineKind("important", false),
  changed: defineKind("important", false),
  post_waits: defineKind("important", false),
  post_decided: defineKind("important", true),
  group_waits: defineKind("important", false),
  account_waits: defineKind("important", false),
  report: defineKind("important", false),
  report_decision: defineKind("important", false),
  webhook_paused: defineKind("important", false),
  // The email about security is sent separately, whatever the choice.
  security: defineKind("never", true),
} as const satisfies Record<string, KindFacts>;

export type NotificationKind = keyof typeof NOTIFICATION_KIND_DEFINITIONS;
export type MailLevel = "important" | "everything" | "nothing";
export type DeliveryChoice = { shown: boolean; mailed: boolean; pushed: boolean };

// eslint-disable-next-line typescript/no-unsafe-type-assertion -- Rules import nothing, so no `keysOf`.
export const NOTIFICATION_KINDS = Object.keys(NOTIFICATION_KIND_DEFINITIONS) as NotificationKind[];

/** Tabs of the notification list. `apart` contains the notifications in the sender folder. */
export const NOTIFICATION_TABS = ["all", "unread", "mentions", "requests", "apart"] as const;
export type NotificationTab = (typeof NOTIFICATION_TABS)[number];

const isMailedAt = (level: MailLevel, { mail }: KindFacts) =>
  mail === "important" ? level !== "nothing" : mail === "everything" && level === "everything";

export const notificationRules = {
  /** Default delivery of a kind. */
  usual: (notificationKind: NotificationKind, level: MailLevel): DeliveryChoice => ({
    shown: true,
    mailed: isMailedAt(level, NOTIFICATION_KIND_DEFINITIONS[notificationKind]),
    pushed: NOTIFICATION_KIND_DEFINITIONS[notificationKind].push,
  }),
  /** Whether the viewer may send an announcement: admins to everyone, moderators to their group. */
  announce: (viewer: Viewer, group: GroupFacts | null) =>
    group
      ? group.state === "active" && groupRules.amend(viewer, group)
      : viewer.role === "admin" && !viewer.limited,
  /** Whether mail of this kind is sent at once, whatever the choice: only security mail. */
  mailedAnyway: (it: NotificationKind) => it === "security",
  /** Whether the person could get this kind. Reports and pending accounts or groups are only for staff. */
  concerns: (viewer: Viewer, it: NotificationKind) =>
    !["report", "group_waits", "account_waits"].includes(it) || isStaff(viewer),
  /**
   * The channels that can be chosen for a kind: reactions are never mailed, and security notifications are
   * always shown.
   */
  open: (notificationKind: NotificationKind): DeliveryChoice => ({
    shown: notificationKind !== "security",
    mailed: NOTIFICATION_KIND_DEFINITIONS[notificationKind].mail !== "never",
    pushed: true,
  }),
};
