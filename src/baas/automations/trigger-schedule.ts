import { nextOccurrence, readSchedule } from "#baas/extensions";
import { SECOND } from "#platform/clock";
import type { Trigger } from "./trigger-schemas.ts";

/**
 * Returns the next time of a schedule after `after`, skipping missed times; null for other triggers, and
 * when the schedule has ended. An interval without a start counts from `made`.
 */
export function nextTriggerTime(trigger: Trigger, after: Date, made: Date): Date | null {
  if (trigger.kind !== "schedule") return null;
  if (trigger.cron !== undefined) return nextOccurrence(readSchedule(trigger.cron), after);
  const first =
    trigger.at === undefined ? new Date(made.getTime() + trigger.every! * SECOND) : new Date(trigger.at);
  if (first > after) return first;
  if (trigger.every === undefined) return null;
  const step = trigger.every * SECOND;
  return new Date(first.getTime() + (Math.floor((after.getTime() - first.getTime()) / step) + 1) * step);
}
