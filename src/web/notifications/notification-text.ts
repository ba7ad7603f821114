import type { NotificationItem } from "#community/notifications";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { useRootData } from "../ui/index.ts";
import { type Translate, useLocale, useTranslate } from "../i18n/index.ts";

/** Language and time zone of the reader. */
type Reader = { t: Translate; locale: string; timeZone: string };

/** Isolates a name, so that its text direction does not affect the sentence around it. */
const isolateBidi = (text: string) => `\u2068${text}\u2069`;

/** Formats actors, such as "Ana, Bo and 4 others". */
function createActorNames({ t }: Reader) {
  return ({ actors }: NotificationItem): string => {
    const [a, b] = actors.map(({ name, isBot }) => isolateBidi(isBot ? t("{name} (bot)", { name }) : name));
    if (!a) return t("Someone");
    if (!b) return a;
    if (actors.length === 2) return t("{a} and {b}", { a, b });
    return t("{a}, {b} and {n, plural, one {# other} other {# others}}", { a, b, n: actors.length - 2 });
  };
}

/** Formats a day in the reader's time zone. */
const createFormatDay =
  ({ locale, timeZone }: Reader) =>
  (at: Date | null) =>
    at ? dateFormat(locale, { dateStyle: "long", timeZone }).format(new Date(at)) : "";

/** Text about a decision on a person in a group. */
function createDecisionText(reader: Reader) {
  const { t } = reader;
  const dayOf = createFormatDay(reader);
  return ({ detail, moment }: NotificationItem, title: string): string => {
    const its = { title, day: dayOf(moment) };
    if (detail === "join_approved") return t("You were approved as a member of {title}", its);
    if (detail === "removed") return t("You were removed from {title}", its);
    if (detail === "banned" && moment) return t("You were banned from {title} until {day}", its);
    if (detail === "banned") return t("You were banned from {title}", its);
    if (detail === "ban_ended") return t("You are no longer banned from {title}", its);
    if (detail === "appeal_declined") return t("Your ban appeal in {title} was rejected", its);
    if (detail === "approved") return t("Your group {title} was approved", its);
    if (detail === "rejected") return t("Your group {title} was rejected", its);
    if (detail === "inspected") return t("An admin inspects your group {title}", its);
    if (detail === "owner_request_declined") return t("{title} gets no new owner for now", its);
    return t("Your request to join {title} was rejected", its);
  };
}

/** Text about the date from which more people can find or read a group. */
function createVisibilityText(reader: Reader) {
  const { t } = reader;
  const dayOf = createFormatDay(reader);
  return ({ detail, moment }: NotificationItem, title: string): string => {
    const its = { title, day: dayOf(moment) };
    return detail === "public"
      ? t("{title} becomes readable for everyone on {day}", its)
      : t("{title} becomes visible to everyone on {day}", its);
  };
}

/** Text about a change that another person made to the reader's content. */
function createChangeText({ t }: Reader) {
  return ({ detail, reason }: NotificationItem, its: { who: string; title: string }): string => {
    if (detail === "restored") return t("Your post in {title} is visible again", its);
    if (detail === "discussion-restored") return t("Your discussion {title} was restored", its);
    if (detail === "moved") return t("{who} moved your resource {title}", its);
    return reason === "you_keep"
      ? t("{who} edited your resource {title}", its)
      : t("{who} edited your post in {title}", its);
  };
}

/** Text about a warning, or about the lock or slow mode of a discussion; null for removals. */
function createMeasureText(reader: Reader) {
  const { t } = reader;
  const dayOf = createFormatDay(reader);
  return ({ detail, moment, object }: NotificationItem, { title }: { title: string }): string | null => {
    const its = { title, day: dayOf(moment) };
    if (detail === "warned")
      return object.title
        ? t("A moderator warned you about your content in {title}", its)
        : t("A moderator warned you");
    if (detail === "locked")
      return moment
        ? t("The discussion {title} was locked by a moderator until {day}", its)
        : t("The discussion {title} was locked by a moderator", its);
    if (detail !== "slowed") return null;
    return moment
      ? t("A moderator turned on slow mode in {title} until {day}", its)
      : t("A moderator turned on slow mode in {title}", its);
  };
}

/** Texts of a notification in the language of the page. */
export const useNotificationText = () => createNotificationText(useReader());
export const useNotificationStatement = () => createNotificationStatement(useReader());

const useReader = (): Reader => ({
  t: useTranslate(),
  locale: useLocale(),
  timeZone: useRootData().timeZone,
});

/** Details of decisions that cannot be appealed: nothing was removed. */
const WITHOUT_APPEAL = ["warned", "locked", "slowed", "returned published", "returned published resource"];

/** For a decision by a moderator: that no program decided, and how to appeal. Empty for all others. */
export const createNotificationStatement =
  ({ t }: Reader) =>
  ({ kind, detail }: NotificationItem): string =>
    WITHOUT_APPEAL.includes(detail)
      ? t("A person made this decision, not a program.")
      : (kind === "post_removed" && detail !== "hidden" && detail !== "hidden resource") ||
          (kind === "security" && detail === "limited") ||
          (kind === "group_decision" && detail === "banned")
        ? t("A person made this decision, not a program. You can appeal once, within 20 days.")
        : "";

/** Text of a notification. `n` is the number of people, since the verb agrees with it in some languages. */
export function createNotificationText(reader: Reader) {
  const { t } = reader;
  const whoOf = createActorNames(reader);
  const decided = createDecisionText(reader);
  const opens = createVisibilityText(reader);
  const changes = createChangeText(reader);
  const dayOf = createFormatDay(reader);
  const measures = createMeasureText(reader);
  return (line: NotificationItem): string => {
    const { kind, reason, detail, group, object, actors } = line;
    const title = isolateBidi(object.title || group?.name || "");
    const its = {
      who: whoOf(line),
      title,
      group: isolateBidi(group?.name ?? ""),
      n: Math.max(1, actors.length),
    };
    const sentences: Record<typeof kind, () => string> = {
      reply: () =>
        reason === "you_started"
          ? t("{who} replied in your discussion {title}", its)
          : t("{who} replied to you in {title}", its),
      mention: () =>
        reason === "group_mentioned"
          ? t("{who} mentioned one of your groups in {title}", its)
          : t("{who} mentioned you in {title}", its),
      message: () => (object.title ? t("{who} posted in {title}", its) : t("{who} sent you a message", its)),
      message_request: () => t("{who} sent you a message request", its),
      new_reply: () => t("{who} replied in {title}", its),
      new_discussion: () => t("{who} started {title} in {group}", its),
      new_event: () => t("{who} announced {title} in {group}", its),
      new_date_poll: () => t("{who} created a date poll for {title}", its),
      event_date: () => t("{who} chose the date of {title}", its),
      event_changed: () =>
        detail === "cancelled"
          ? t("{title} was cancelled", its)
          : detail === "postponed"
            ? t("{title} is postponed", its)
            : detail === "repeats"
              ? t("{title} takes place repeatedly now", its)
              : t("{title} has a new time or place", its),
      event_host: () =>
        detail === "added"
          ? t("{who} made you a host of {title}", its)
          : detail === "left"
            ? t("A host of {title} has left", its)
            : t("{title} has no host any more", its),
      event_place: () => t("You have a place at {title} now", its),
      event_tomorrow: () => t("{title} begins in a day", its),
      event_soon: () => t("{title} begins in an hour", its),
      reaction: () => t("{who} reacted to your post in {title}", its),
      comment: () => t("{who} commented on {title}", its),
      version: () => t("{who} added a new version of {title}", its),
      dead_link: () => t("The link of {title} is broken", its),
      new_results: () => t("New results of your search {title}", its),
      bookmark: () => t("Reminder: a post in {title}", its),
      friend_request: () => t("{who} sent you a friend request", its),
      friend_accepted: () => t("{who} is now your friend", its),
      group_invitation: () => t("{who} invited you to {title}", its),
      group_request: () => t("{who} requested to join {title}", its),
      group_appeal: () => t("Ban appeal in {title}", its),
      group_decision: () => decided(line, title),
      group_role: () => roleIn(detail),
      group_opening: () => opens(line, title),
      new_address: () =>
        detail === "accepted"
          ? t("{who} accepted the link you suggested for {title}", its)
          : t("{who} suggested a new link for {title}", its),
      post_removed: () =>
        measures(line, its) ??
        (detail === "hidden"
          ? t("Your post in {title} is hidden for now", its)
          : detail === "hidden resource"
            ? t("Your resource {title} is hidden for now", its)
            : detail === "discussion"
              ? t("Your discussion {title} was deleted by a moderator", its)
              : detail === "resource"
                ? t("Your resource {title} was removed by a moderator", its)
                : t("Your post in {title} was removed by a moderator", its)),
      changed: () => changes(line, its),
      post_waits: () =>
        detail === "profile"
          ? t("A profile text awaits approval")
          : object.kind === "person"
            ? t("A resource for the whole community awaits approval")
            : detail === "resource"
              ? t("A resource in {title} awaits approval", its)
              : t("A post in {title} awaits approval", its),
      post_decided: () =>
        detail === "approved"
          ? t("Your post in {title} was approved", its)
          : detail === "approved resource"
            ? t("Your resource {title} was approved", its)
            : detail === "approved profile"
              ? t("Your new profile text was approved")
              : detail === "returned profile"
                ? t("Your new profile text was returned to you")
                : detail === "returned resource"
                  ? t("Your resource {title} was returned to you", its)
                  : detail === "returned published"
                    ? t("A moderator asks you to change your post in {title}", its)
                    : detail === "returned published resource"
                      ? t("A moderator asks you to change your resource {title}", its)
                      : object.title
                        ? t("Your post for {title} was returned to you", its)
                        : t("Your post was returned to you"),
      group_waits: () =>
        detail === "owner_requested"
          ? t("{title} asks for a new owner", its)
          : t("The group {title} awaits approval", its),
      account_waits: () => t("A registration awaits approval"),
      webhook_paused: () => t("A webhook of yours was paused"),
      group_archived: () =>
        detail === "deleted" ? t("{title} was deleted", its) : t("{title} was archived", its),
      announcement: () => t("Announcement: {title}", its),
      report: () =>
        detail === "appeal account"
          ? t("Appeal about an account")
          : detail === "appeal"
            ? t("Appeal of a removal")
            : detail === "case assigned"
              ? t("A case was handed over to you")
              : detail === "case mentioned"
                ? t("You were mentioned in a note on a case")
                : t("New report"),
      report_decision: () =>
        detail === "appeal upheld"
          ? t("Your content was restored")
          : detail === "appeal rejected"
            ? t("The removal of your content was upheld")
            : detail === "upheld"
              ? t("Your report was upheld, thank you")
              : t("Your report was reviewed: no rule was broken"),
      security: () => safety(line),
    };
    const roleIn = (role: string) =>
      role === "owner"
        ? t("You are an owner of {title} now", its)
        : role === "moderator"
          ? t("You are a moderator of {title} now", its)
          : t("You are a member of {title} now", its);
    const safety = ({ detail: what, moment }: NotificationItem) =>
      ({
        limited: moment
          ? t("Your account is restricted until {day}", { day: dayOf(moment) })
          : t("Your account is restricted"),
        restored: t("Your account has no restrictions any more"),
        passwordChanged: t("Your password was changed"),
        addressChanging: t("Your email address is about to change"),
        secondStepOn: t("Two-factor authentication was turned on"),
        secondStepOff: t("Two-factor authentication was turned off"),
        passkeyAdded: t("A passkey was added to your account"),
        passkeyRemoved: t("A passkey was removed from your account"),
        tokenCreated: t("An access token was created"),
        tokenRevoked: t("An admin revoked an access token of yours"),
        newDevice: t("New sign-in from an unknown browser"),
      })[what] ?? t("Your account was changed");
    return sentences[kind]();
  };
}
