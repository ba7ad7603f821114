import { calendarRules } from "./calendar.ts";
import { type GroupFacts, groupRules } from "./groups.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

/** A poll for the time of an event. `endsAt` is the end of the last proposed time. */
export type DatePollFacts = {
  group: GroupFacts;
  /** Null if the host blocks the viewer. */
  hostId: string | null;
  endsAt: Date;
  /** Deadline for answers; null if people can answer until the last proposed time has ended. */
  closesAt: Date | null;
  closedAt: Date | null;
  /** Whether an event was created from the poll. */
  isDecided: boolean;
};
export type DatePollAnswerName = "yes" | "if_need_be" | "no";

/** Permissions of date polls (product rules, 7). A date poll asks the members of a group. */
export const datePollRules = {
  see: (viewer: Viewer, it: Pick<DatePollFacts, "group" | "endsAt">) =>
    groupRules.readContent(viewer, it.group, { audience: "members", at: it.endsAt }),
  /** Only members create date polls, because staff who are not members would not see them. */
  create: (viewer: Viewer, group: GroupFacts) =>
    calendarRules.create(viewer, group) && group.viewerState === "member",
  isOpen: (it: Omit<DatePollFacts, "group" | "hostId">, now: Date) =>
    it.closedAt === null && (it.closesAt === null || it.closesAt > now) && it.endsAt > now,
  answer: (viewer: Viewer, it: DatePollFacts, now: Date) =>
    datePollRules.see(viewer, it) && groupRules.write(viewer, it.group) && datePollRules.isOpen(it, now),
  /** Whether the viewer may close and delete the poll: its host while they may write, and moderators. */
  manage: (viewer: Viewer, it: DatePollFacts) =>
    isSignedIn(viewer) &&
    datePollRules.see(viewer, it) &&
    ((it.hostId === viewer.id && groupRules.write(viewer, it.group)) ||
      groupRules.moderate(viewer, it.group)),
  close: (viewer: Viewer, it: DatePollFacts, now: Date) =>
    datePollRules.manage(viewer, it) && datePollRules.isOpen(it, now),
  reopen: (viewer: Viewer, it: DatePollFacts, now: Date) =>
    datePollRules.manage(viewer, it) && !it.isDecided && !datePollRules.isOpen(it, now) && it.endsAt > now,
  /** Whether the viewer may create an event from one of the proposed times. */
  decide: (viewer: Viewer, it: DatePollFacts, now: Date) =>
    datePollRules.manage(viewer, it) && !it.isDecided && it.endsAt > now,
};
