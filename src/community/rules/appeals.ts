import { type GroupFacts, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

const DAY = 24 * 60 * 60_000;

/** A ban, as the banned person sees it. */
export type BanFacts = { since: Date; appealedAt: Date | null };
/** An appeal, as moderators see it. `othersLead`: the group has moderators besides the one who banned. */
export type AppealFacts = { personId: string; bannedBy: string | null; othersLead: boolean };

/** Appeals against group bans (product rules, 4.2): one for each ban, decided by someone else. */
export const appealRules = {
  /** Until when the author can appeal a removal. */
  untilOfRemoval: (removedAt: Date): Date => new Date(removedAt.getTime() + LIMITS.appeal.days * DAY),
  /** The author, once for each removal. */
  askOfRemoval: (viewer: Viewer, it: { removedAt: Date; asked: boolean }, now: Date): boolean =>
    isSignedIn(viewer) && !it.asked && now <= appealRules.untilOfRemoval(it.removedAt),
  /** The sanctioned person, once for each sanction. */
  askOfSanction: (viewer: Viewer, it: { since: Date; asked: boolean }, now: Date): boolean =>
    isSignedIn(viewer) && !it.asked && now <= appealRules.until(it),
  /** Until when the ban can be appealed. */
  until: ({ since }: Pick<BanFacts, "since">): Date => new Date(since.getTime() + LIMITS.appeal.days * DAY),
  ask: (viewer: Viewer, ban: BanFacts, now: Date): boolean =>
    isSignedIn(viewer) && ban.appealedAt === null && now <= appealRules.until(ban),
  /**
   * Decline. The person who banned can lift the ban any time, but may decline only if the group has no other
   * moderator.
   */
  decline: (viewer: Viewer, group: GroupFacts, it: AppealFacts): boolean =>
    groupRules.remove(viewer, group, { id: it.personId, role: null }) &&
    (viewer.id !== it.bannedBy || !it.othersLead),
};
