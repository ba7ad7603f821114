import { nextAfter, readSchedule } from "#backend/extensions";
import { SECOND } from "#platform/clock";
import type { Trigger } from "./triggers.ts";

/**
 * When a trigger comes next after a moment; null for what is no schedule, or is over. What was missed while nobody was here is not made
 * up for: the next moment is still to come. `made`: from when it counts where it names no beginning.
 */
export function nextMoment(trigger: Trigger, after: Date, made: Date): Date | null {
  if (trigger.kind !== "schedule") return null;
  if (trigger.cron !== undefined) return nextAfter(readSchedule(trigger.cron), after);
  const first = trigger.at === undefined ? new Date(made.getTime() + trigger.every! * SECOND) : new Date(trigger.at);
  if (first > after) return first;
  if (trigger.every === undefined) return null;
  const step = trigger.every * SECOND;
  return new Date(first.getTime() + (Math.floor((after.getTime() - first.getTime()) / step) + 1) * step);
}
