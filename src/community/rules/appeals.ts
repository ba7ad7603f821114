import { type GroupFacts, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

const DAY = 24 * 60 * 60_000;

/** A ban, as the banned person sees it. */
export type BanFacts = { since: Date; appealedAt: Date | null };
/**
 * An appeal as moderators see it. `othersLead`: the group has a moderator other than the one who imposed the
 * ban.
 */
export type AppealFacts = { personId: string; bannedBy: string | null; othersLead: boolean };

/**
 * Appeals against group bans (product rules, 4.2): one for each ban. Someone other than the moderator who
 * imposed the ban decides.
 */
export const appealRules = {
  /** Time until which the author can appeal a removal. */
  untilOfRemoval: (removedAt: Date): Date => new Date(removedAt.getTime() + LIMITS.appeal.days * DAY),
  /** Whether the author may appeal a removal: once for each removal. */
  askOfRemoval: (viewer: Viewer, it: { removedAt: Date; asked: boolean }, now: Date): boolean =>
    isSignedIn(viewer) && !it.asked && now <= appealRules.untilOfRemoval(it.removedAt),
  /** Whether the sanctioned person may appeal: once for each sanction. */
  askOfSanction: (viewer: Viewer, it: { since: Date; asked: boolean }, now: Date): boolean =>
    isSignedIn(viewer) && !it.asked && now <= appealRules.until(it),
  /** Time until which a ban can be appealed. */
  until: ({ since }: Pick<BanFacts, "since">): Date => new Date(since.getTime() + LIMITS.appeal.days * DAY),
  ask: (viewer: Viewer, ban: BanFacts, now: Date): boolean =>
    isSignedIn(viewer) && ban.appealedAt === null && now <= appealRules.until(ban),
  /**
   * Whether the viewer may decline the appeal. The moderator who imposed the ban can lift it at any time,
   * but may decline only if the group has no other moderator.
   */
  decline: (viewer: Viewer, group: GroupFacts, it: AppealFacts): boolean =>
    groupRules.remove(viewer, group, { id: it.personId, role: null }) &&
    (viewer.id !== it.bannedBy || !it.othersLead),
};
