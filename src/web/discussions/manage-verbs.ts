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
  slowDiscussion,
  splitDiscussion,
  unarchiveDiscussion,
  unlockDiscussion,
  unpinDiscussion,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm } from "../forms.ts";
import { urls } from "../urls.ts";
import { endOfDay, IN_TIME, isOnCalendars, SLOW } from "./spans.ts";

const Asked = z.object({
  intent: z.enum([
    ...(["rename", "pin", "unpin", "lock", "unlock", "resolve", "reopen", "slow", "timer", "untime"] as const),
    ...(["move", "split", "merge", "archive", "unarchive", "delete"] as const),
  ]),
});
const Reason = z.object({ reason: z.string().default("") });
const Day = z.iso.date("Choose a day.").refine(isOnCalendars, "Choose a day.");
const Pin = Reason.extend({ until: z.union([z.literal(""), Day]).default("") });
const Answer = Reason.extend({ postId: z.string().optional() });
const Slow = Reason.extend({ seconds: z.enum(SLOW) });
const Timer = Reason.extend({ timer: z.enum(["close", "open"]), span: z.enum(IN_TIME) });

const Told = Reason.extend({ visibility: z.enum(["public", "private", "secret"]) });
const Move = Told.extend({ groupId: z.string() });
const Merge = Told.extend({ into: z.string() });

type Where = { discussionId: string; timeZone: string };

/** Runs the command of one of the page's forms and returns the address to go to. */
export async function manageDiscussion(tx: Tx, viewer: Viewer, { discussionId, timeZone }: Where, form: FormData): Promise<string> {
  const { intent } = parseForm(Asked, form);
  const it = { discussionId };
  switch (intent) {
    case "rename":
      form.set("discussionId", discussionId);
      await renameDiscussion(tx, viewer, parseForm(NewTitle, form));
      break;
    case "pin": {
      const { until, reason } = parseForm(Pin, form);
      await pinDiscussion(tx, viewer, { ...it, reason, until: until ? endOfDay(until, timeZone) : undefined });
      break;
    }
    case "resolve":
      await resolveDiscussion(tx, viewer, { ...it, ...parseForm(Answer, form) });
      break;
    case "slow": {
      const { seconds, reason } = parseForm(Slow, form);
      await slowDiscussion(tx, viewer, { ...it, reason, seconds: Number(seconds) });
      break;
    }
    case "timer": {
      const { span, ...wish } = parseForm(Timer, form);
      await setTimer(tx, viewer, { ...it, ...wish, until: new Date(tx.now.getTime() + Number(span) * 1000) });
      break;
    }
    case "move":
      await moveDiscussion(tx, viewer, { ...it, ...parseForm(Move, form) });
      break;
    case "split": {
      form.set("discussionId", discussionId);
      return urls.discussion((await splitDiscussion(tx, viewer, parseForm(NewSplit, form))).id);
    }
    case "merge":
      return urls.discussion((await mergeDiscussion(tx, viewer, { ...it, ...parseForm(Merge, form) })).id);
    case "lock":
    case "unlock":
    case "unpin":
    case "reopen":
    case "untime":
    case "archive":
    case "unarchive":
    case "delete":
      await PLAIN[intent](tx, viewer, { ...it, ...parseForm(Reason, form) });
  }
  return urls.discussion(discussionId);
}

/** Commands whose only input is a reason. */
const PLAIN = {
  lock: lockDiscussion,
  unlock: unlockDiscussion,
  unpin: unpinDiscussion,
  reopen: reopenDiscussion,
  untime: cancelTimer,
  archive: archiveDiscussion,
  unarchive: unarchiveDiscussion,
  delete: deleteDiscussion,
};
