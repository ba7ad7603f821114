import type { NotificationItem } from "#community/notifications";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { useRootData } from "../ui/index.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";

/** Isolates names within a sentence from its text direction. */
const isolateBidi = (text: string) => `\u2068${text}\u2069`;

/** "Ana, Bo and 4 others". */
function useActorNames() {
  const t = useTranslate();
  return ({ actors }: NotificationItem): string => {
    const [a, b] = actors.map((actor) => isolateBidi(actor.name));
    if (!a) return t("Somebody");
    if (!b) return a;
    if (actors.length === 2) return t("{a} and {b}", { a, b });
    return t("{a}, {b} and {n, plural, one {# other} other {# others}}", { a, b, n: actors.length - 2 });
  };
}

/** The day in the reader's time zone. */
function useFormatDay() {
  const { timeZone } = useRootData();
  const locale = useLocale();
  return (at: Date | null) => (at ? dateFormat(locale, { dateStyle: "long", timeZone }).format(new Date(at)) : "");
}

/** A decision about a person and a group. */
function useDecisionText() {
  const t = useTranslate();
  const dayOf = useFormatDay();
  return ({ detail, moment }: NotificationItem, title: string): string => {
    const its = { title, day: dayOf(moment) };
    if (detail === "admitted") return t("You were let into {title}", its);
    if (detail === "removed") return t("You were taken out of {title}", its);
    if (detail === "banned" && moment) return t("You cannot take part in {title} until {day}", its);
    if (detail === "banned") return t("You cannot take part in {title} any more", its);
    if (detail === "ban_ended") return t("You are no longer kept out of {title}", its);
    if (detail === "appeal_declined") return t("You asked to come back into {title}: it stays as it was decided", its);
    if (detail === "let_in") return t("Your group {title} was let in", its);
    if (detail === "turned_down") return t("Your group {title} was not let in", its);
    if (detail === "inspected") return t("An admin looks into your group {title}", its);
    if (detail === "heir_declined") return t("{title} gets no new owner for now", its);
    return t("Your request to join {title} was declined", its);
  };
}

/** From when on more people can find or read a group. */
function useVisibilityText() {
  const t = useTranslate();
  const dayOf = useFormatDay();
  return ({ detail, moment }: NotificationItem, title: string): string => {
    const its = { title, day: dayOf(moment) };
    return detail === "public"
      ? t("{title} opens up: from {day} on everybody can read it", its)
      : t("{title} opens up: from {day} on everybody can find it", its);
  };
}

/** Another person changed the reader's content. */
function useChangeText() {
  const t = useTranslate();
  return ({ detail, reason }: NotificationItem, its: { who: string; title: string }): string => {
    if (detail === "restored") return t("What you wrote in {title} stands there again", its);
    if (detail === "discussion-restored") return t("Your discussion {title} is back", its);
    if (detail === "moved") return t("{who} moved {title}, which you keep, to another place", its);
    return reason === "you_keep" ? t("{who} changed {title}, which you keep", its) : t("{who} changed what you wrote in {title}", its);
  };
}

/** Text of a notification. `n` is the number of people, for languages whose verbs agree with it. */
export function useNotificationText() {
  const t = useTranslate();
  const whoOf = useActorNames();
  const decided = useDecisionText();
  const opens = useVisibilityText();
  const changes = useChangeText();
  const dayOf = useFormatDay();
  return (line: NotificationItem): string => {
    const { kind, reason, detail, group, object, actors } = line;
    const title = isolateBidi(object.title || group?.name || "");
    const its = { who: whoOf(line), title, group: isolateBidi(group?.name ?? ""), n: Math.max(1, actors.length) };
    const sentences: Record<typeof kind, () => string> = {
      reply: () =>
        reason === "you_started" ? t("{who} replied in your discussion {title}", its) : t("{who} replied to you in {title}", its),
      mention: () =>
        reason === "group_mentioned" ? t("{who} called a group of yours in {title}", its) : t("{who} mentioned you in {title}", its),
      message: () => (object.title ? t("{who} wrote in {title}", its) : t("{who} wrote to you", its)),
      message_request: () => t("{who} would like to write to you", its),
      new_reply: () => t("{who} replied in {title}", its),
      new_discussion: () => t("{who} began {title} in {group}", its),
      reaction: () => t("{who} reacted to what you wrote in {title}", its),
      comment: () => t("{who} commented on {title}", its),
      version: () => t("{who} made a new version of {title}", its),
      dead_link: () => t("The link {title} leads nowhere any more", its),
      new_results: () => t("There is something new in your search {title}", its),
      bookmark: () => t("You wanted to come back to a post in {title}", its),
      friend_request: () => t("{who} would like to be your friend", its),
      friend_accepted: () => t("{who} is your friend now", its),
      group_invitation: () => t("{who} invited you to {title}", its),
      group_request: () => t("{who} asked to join {title}", its),
      group_appeal: () => t("Somebody who is kept out of {title} asks to come back", its),
      group_decision: () => decided(line, title),
      group_role: () => roleIn(detail),
      group_opening: () => opens(line, title),
      new_address: () =>
        detail === "accepted"
          ? t("{who} took the address that you suggested for {title}", its)
          : t("{who} suggested a new address for {title}", its),
      post_removed: () =>
        detail === "hidden"
          ? t("What you wrote in {title} is hidden for now", its)
          : detail === "discussion"
            ? t("Your discussion {title} was deleted by those who look after the group", its)
            : detail === "resource"
              ? t("{title}, which you keep, was taken out of the library by those who look after it", its)
              : t("What you wrote in {title} was removed by those who look after it", its),
      changed: () => changes(line, its),
      post_waits: () => t("What somebody new wrote in {title} waits until you have looked at it", its),
      post_decided: () =>
        detail === "let_in"
          ? t("What you wrote in {title} was looked at, and stands there now", its)
          : object.title
            ? t("What you wrote for {title} was given back to you", its)
            : t("Something that you wrote was given back to you"),
      group_waits: () =>
        detail === "heir" ? t("The group {title} asks for an owner", its) : t("The group {title} waits to be let in", its),
      account_waits: () => t("Somebody has registered and waits to be let in"),
      group_archived: () =>
        detail === "deleted" ? t("{title} was deleted", its) : t("{title} was archived: it can be read as before", its),
      announcement: () => t("Announcement: {title}", its),
      report: () =>
        detail === "appeal account"
          ? t("Somebody asks that what was decided about their account is looked at again")
          : detail === "appeal"
            ? t("Somebody asks that something comes back")
            : t("Somebody reported something: please look at it"),
      report_decision: () =>
        detail === "appeal upheld"
          ? t("What was removed is back")
          : detail === "appeal rejected"
            ? t("What was removed stays removed")
            : detail === "upheld"
              ? t("You were right to report this: thank you, it was dealt with")
              : t("We looked at what you reported and found nothing against the rules"),
      security: () => safety(line),
    };
    const roleIn = (role: string) =>
      role === "owner"
        ? t("You are an owner of {title} now", its)
        : role === "moderator"
          ? t("You look after {title} now", its)
          : t("You are a member of {title} like others now", its);
    const safety = ({ detail: what, moment }: NotificationItem) =>
      ({
        limited: moment ? t("Your account is limited until {day}", { day: dayOf(moment) }) : t("Your account is limited for now"),
        restored: t("Nothing holds against your account any more"),
        passwordChanged: t("Your password was changed"),
        addressChanging: t("Your mail address is about to change"),
        secondStepOn: t("Signing in takes two steps now"),
        secondStepOff: t("Signing in takes one step again"),
        passkeyAdded: t("A passkey was added to your account"),
        passkeyRemoved: t("A passkey of yours was removed"),
        newDevice: t("Somebody signed in with a browser that we did not know"),
      })[what] ?? t("Something about your account was changed");
    return sentences[kind]();
  };
}
