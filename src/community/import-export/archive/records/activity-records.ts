import { z } from "zod";
import { ACTIVITY_KINDS } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { headingText, id, moment, number, requiredText } from "../record-fields.ts";

// Records of people's activity other than texts.

/** A bookmark of a post or a resource: one of the two fields is set. */
export const bookmark = z.object({
  type: z.literal("bookmark"),
  user: id,
  post: id.optional(),
  resource: id.optional(),
  note: headingText(300),
  remindAt: moment.nullish(),
  remindedAt: moment.nullish(),
  createdAt: moment.optional(),
});

/** One person mutes another, who is not notified. */
export const mute = z.object({
  type: z.literal("mute"),
  from: id,
  to: id,
  until: moment.nullish(),
  createdAt: moment.optional(),
});

export const follow = z.object({
  type: z.literal("follow"),
  resource: id,
  user: id,
  level: z.enum(["watching", "normal", "muted"]).default("watching"),
  createdAt: moment.optional(),
});

/** A "start here" item for new members: either `discussion` or `resource` is set. */
export const startHereItem = z.object({
  type: z.literal("start"),
  group: id,
  discussion: id.optional(),
  resource: id.optional(),
  position: number.default(0),
  by: id.nullish(),
  createdAt: moment.optional(),
});

const details = z
  .object({
    was: requiredText(1_000),
    became: requiredText(1_000),
    until: z.iso.datetime(),
    seconds: number,
    posts: number,
    timer: z.enum(["close", "open"]),
    byItself: z.literal(true),
  })
  .partial();

/** An activity entry of a discussion, shown between posts. */
export const activityEntry = z.object({
  type: z.literal("line"),
  id,
  discussion: id,
  kind: z.enum(ACTIVITY_KINDS),
  by: id.nullish(),
  reason: headingText(LIMITS.reason),
  otherDiscussion: id.nullish(),
  otherGroup: id.nullish(),
  details: details.default({}),
  createdAt: moment,
});
