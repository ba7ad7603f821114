import { z } from "zod";
import {
  archiveDiscussion,
  cancelTimer,
  deleteDiscussion,
  lockDiscussion,
  mergeDiscussion,
  moveDiscussion,
  NewSplit,
  NewTitle,
  pinDiscussion,
  renameDiscussion,
  reopenDiscussion,
  resolveDiscussion,
  setTimer,
  setSlowMode,
  splitDiscussion,
  unarchiveDiscussion,
  unlockDiscussion,
  unpinDiscussion,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm } from "../../form-parsing.ts";
import { urls } from "../../urls.ts";
import { endOfDay, TIMER_SECONDS, isPlannableDate, SLOW_MODE_SECONDS } from "../dates-and-numbers.ts";

const Intent = z.object({
  intent: z.enum([
    ...([
      "rename",
      "pin",
      "unpin",
      "lock",
      "unlock",
      "resolve",
      "reopen",
      "slow",
      "timer",
      "cancel-timer",
    ] as const),
    ...(["move", "split", "merge", "archive", "unarchive", "delete"] as const),
  ]),
});
const ReasonInput = z.object({ reason: z.string().default("") });
const DateInput = z.iso.date("Choose a day.").refine(isPlannableDate, "Choose a day.");
const PinInput = ReasonInput.extend({ until: z.union([z.literal(""), DateInput]).default("") });
const AnswerInput = ReasonInput.extend({ postId: z.string().optional() });
const SlowModeInput = ReasonInput.extend({ seconds: z.enum(SLOW_MODE_SECONDS) });
const TimerInput = ReasonInput.extend({ timer: z.enum(["close", "open"]), span: z.enum(TIMER_SECONDS) });

const VisibilityInput = ReasonInput.extend({ visibility: z.enum(["public", "private", "secret"]) });
const MoveInput = VisibilityInput.extend({ groupId: z.string() });
const MergeInput = VisibilityInput.extend({ into: z.string() });

type ManageTarget = { discussionId: string; timeZone: string };

/** Runs the command of one of the page's forms and returns the address to go to. */
export async function runManageCommand(
  tx: Tx,
  viewer: Viewer,
  { discussionId, timeZone }: ManageTarget,
  form: FormData,
): Promise<string> {
  const { intent } = parseForm(Intent, form);
  const it = { discussionId };
  switch (intent) {
    case "rename":
      form.set("discussionId", discussionId);
      await renameDiscussion(tx, viewer, parseForm(NewTitle, form));
      break;
    case "pin": {
      const { until, reason } = parseForm(PinInput, form);
      await pinDiscussion(tx, viewer, {
        ...it,
        reason,
        until: until ? endOfDay(until, timeZone) : undefined,
      });
      break;
    }
    case "resolve":
      await resolveDiscussion(tx, viewer, { ...it, ...parseForm(AnswerInput, form) });
      break;
    case "slow": {
      const { seconds, reason } = parseForm(SlowModeInput, form);
      await setSlowMode(tx, viewer, { ...it, reason, seconds: Number(seconds) });
      break;
    }
    case "timer": {
      const { span, ...timer } = parseForm(TimerInput, form);
      await setTimer(tx, viewer, {
        ...it,
        ...timer,
        until: new Date(tx.now.getTime() + Number(span) * 1000),
      });
      break;
    }
    case "move":
      await moveDiscussion(tx, viewer, { ...it, ...parseForm(MoveInput, form) });
      break;
    case "split": {
      form.set("discussionId", discussionId);
      return urls.discussion((await splitDiscussion(tx, viewer, parseForm(NewSplit, form))).id);
    }
    case "merge":
      return urls.discussion(
        (await mergeDiscussion(tx, viewer, { ...it, ...parseForm(MergeInput, form) })).id,
      );
    case "lock":
    case "unlock":
    case "unpin":
    case "reopen":
    case "cancel-timer":
    case "archive":
    case "unarchive":
    case "delete":
      await COMMANDS_WITH_REASON[intent](tx, viewer, { ...it, ...parseForm(ReasonInput, form) });
  }
  return urls.discussion(discussionId);
}

/** Commands whose only input is a reason. */
const COMMANDS_WITH_REASON = {
  lock: lockDiscussion,
  unlock: unlockDiscussion,
  unpin: unpinDiscussion,
  reopen: reopenDiscussion,
  "cancel-timer": cancelTimer,
  archive: archiveDiscussion,
  unarchive: unarchiveDiscussion,
  delete: deleteDiscussion,
};
