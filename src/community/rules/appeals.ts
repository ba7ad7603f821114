import { type GroupFacts, groupRules } from "./groups.ts";
import { LIMITS } from "./limits.ts";
import { isSignedIn, type Viewer } from "./viewer.ts";

const DAY = 24 * 60 * 60_000;

/** A ban, as who is kept out by it finds it. */
export type BanFacts = { since: Date; appealedAt: Date | null };
/** An appeal, as those who look after the group find it. `othersLead`: whether the group has somebody else than who decided. */
export type AppealFacts = { personId: string; bannedBy: string | null; othersLead: boolean };

/** Who asks that a ban of a group is looked at again, and who answers (product rules, 4.2): one for each, another than the first. */
export const appealRules = {
  /** Until when whoever wrote something can ask that its removal is looked at again. */
  untilOfRemoval: (removedAt: Date): Date => new Date(removedAt.getTime() + LIMITS.appeal.days * DAY),
  /** Whoever wrote it, once for each time that it was removed. */
  askOfRemoval: (who: Viewer, it: { removedAt: Date; asked: boolean }, now: Date): boolean =>
    isSignedIn(who) && !it.asked && now <= appealRules.untilOfRemoval(it.removedAt),
  /** Whoever is limited or suspended, once for each time. */
  askOfSanction: (who: Viewer, it: { since: Date; asked: boolean }, now: Date): boolean =>
    isSignedIn(who) && !it.asked && now <= appealRules.until(it),
  /** Until when one can be asked for. */
  until: ({ since }: Pick<BanFacts, "since">): Date => new Date(since.getTime() + LIMITS.appeal.days * DAY),
  ask: (who: Viewer, ban: BanFacts, now: Date): boolean => isSignedIn(who) && ban.appealedAt === null && now <= appealRules.until(ban),
  /** Say no. Who decided at first can let them come back like anybody else, and says no a second time only where there is nobody else. */
  decline: (who: Viewer, group: GroupFacts, it: AppealFacts): boolean =>
    groupRules.remove(who, group, { id: it.personId, role: null }) && (who.id !== it.bannedBy || !it.othersLead),
};
