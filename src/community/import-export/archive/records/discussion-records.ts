import { z } from "zod";
import { LIMITS } from "#community/rules";
import {
  cleanText,
  headingText,
  id,
  languageIfAny,
  MAX_TEXT_LENGTH,
  moment,
  number,
  paths,
  requiredText,
  tags,
  text,
} from "../record-fields.ts";
import { audience } from "./people-records.ts";

export const discussion = z.object({
  type: z.literal("discussion"),
  id,
  group: id,
  author: id,
  title: headingText(LIMITS.title.max),
  tags,
  language: languageIfAny,
  audience,
  archived: z.boolean().default(false),
  archivedAt: moment.nullish(),
  archivedBy: id.nullish(),
  /** Seconds between two replies of one person; 0 without slow mode. */
  slowSeconds: z.int().min(0).max(86_400).default(0),
  pinnedAt: moment.nullish(),
  pinnedBy: id.nullish(),
  pinnedUntil: moment.nullish(),
  lockedAt: moment.nullish(),
  lockedBy: id.nullish(),
  lockedReason: headingText(300).nullish(),
  resolvedAt: moment.nullish(),
  resolvedBy: id.nullish(),
  /** The discussion closes or reopens automatically at this time. */
  timer: z
    .object({
      kind: z.enum(["close", "open"]),
      at: moment,
      by: id.nullish(),
      reason: headingText(LIMITS.reason),
    })
    .nullish(),
  /**
   * First post of a discussion that was split from another discussion. If the post was already imported as
   * part of the other discussion, the replies are added there.
   */
  begunBy: id.nullish(),
  /** Discussions merged into this one, by the ids in their Kith addresses. */
  merged: z
    .array(z.object({ id, at: moment }))
    .max(1_000)
    .default([]),
  createdAt: moment,
  oldPaths: paths,
});

/** A poll with its options in order. `most`: number of options that one person may choose. */
const poll = z.object({
  options: z.array(requiredText(LIMITS.poll.option)).min(1).max(LIMITS.poll.options.max),
  most: z.int().min(1).max(LIMITS.poll.options.max).default(1),
  results: z.enum(["always", "voted", "ended"]).default("always"),
  closesAt: moment.nullish(),
  createdAt: moment.optional(),
});

/** Files in a text: pictures, and attachments of a message. The text references each as `/files/{id}`. */
const files = z.array(id).max(100).default([]);

/** A person or group mentioned as `@name`. */
const mention = z.object({ name: z.string().max(60).toLowerCase(), user: id.nullish(), group: id.nullish() });

/** States in which a post is only a placeholder without text. */
const STATES_WITHOUT_TEXT = ["deleted_by_author", "removed", "moved"];
const addEmptyIssue = (context: z.RefinementCtx) =>
  context.addIssue({ code: "custom", path: ["body"], message: "is empty" });

const postFields = z.object({
  type: z.literal("post"),
  id,
  /** Exactly one of discussion and resource is set. */
  discussion: id.optional(),
  resource: id.optional(),
  /**
   * Number of the post, for human readers of the archive. The import ignores it: the order of the records
   * decides.
   */
  number: number.optional(),
  author: id,
  replyTo: id.nullish(),
  body: text(MAX_TEXT_LENGTH),
  state: z.enum(["published", "hidden", "deleted_by_author", "removed", "moved"]).default("published"),
  /** Time of the removal. The text is kept for thirty days after the removal. */
  takenAt: moment.nullish(),
  takenBy: id.nullish(),
  takenReason: headingText(LIMITS.reason),
  /** Since when the post is hidden after several reports. */
  hiddenAt: moment.nullish(),
  /** How often the post was hidden after several reports. */
  hiddenTimes: z.int().min(0).max(1_000).default(0),
  /** When the post was last shown again after it had been hidden. */
  shownAt: moment.nullish(),
  /**
   * Links between a moved post and its placeholders, stated by whichever is exported later: `movedTo` by a
   * placeholder, `movedFrom` by the post.
   */
  movedTo: id.nullish(),
  movedFrom: z.array(id).max(1_000).default([]),
  /** Positions of the post in merged discussions, so that old addresses still lead to it. */
  stood: z
    .array(z.object({ discussion: id, number }))
    .max(100)
    .default([]),
  /** Accepted answer that resolves its discussion. */
  isAnswer: z.boolean().default(false),
  createdAt: moment,
  editedAt: moment.nullish(),
  /** Number of versions of the text. */
  version: z.int().min(1).max(1_000_000).default(1),
  files,
  mentions: z.array(mention).max(200).default([]),
  poll: poll.nullish(),
  oldPaths: paths,
});

export const post = postFields.superRefine((it, context) => {
  if (it.body === "" && !STATES_WITHOUT_TEXT.includes(it.state)) addEmptyIssue(context);
});

/** A former text of a post, with the time of the edit. */
export const revision = z.object({
  type: z.literal("revision"),
  post: id,
  body: requiredText(MAX_TEXT_LENGTH),
  by: id,
  reason: headingText(LIMITS.reason).nullish(),
  createdAt: moment,
});

/** A vote in a post's poll: an option by position, from one. */
export const vote = z.object({
  type: z.literal("vote"),
  post: id,
  user: id,
  option: z.int().min(1).max(LIMITS.poll.options.max),
  createdAt: moment.optional(),
});

const emoji = z.string().transform(cleanText).pipe(z.string().min(1).max(16));

export const reaction = z.object({
  type: z.literal("reaction"),
  post: id,
  user: id,
  emoji,
  createdAt: moment.optional(),
});

export const readPosition = z.object({
  type: z.literal("reading"),
  discussion: id,
  user: id,
  number,
  level: z.enum(["watching", "tracking", "normal", "muted"]).default("normal"),
  /** The member chose the level explicitly, so reading or writing does not change it. */
  chosen: z.boolean().default(false),
  createdAt: moment.optional(),
});

export const conversation = z.object({
  type: z.literal("conversation"),
  id,
  kind: z.enum(["direct", "group"]),
  name: headingText(100),
  creator: id,
  participants: z
    .array(
      z.object({
        user: id,
        state: z.enum(["request", "accepted", "deleted", "left"]).default("accepted"),
        read: number.default(0),
        seen: number.optional(),
        joinedAfter: number.default(0),
        mutedUntil: moment.nullish(),
        archivedAt: moment.nullish(),
        createdAt: moment.optional(),
      }),
    )
    .min(1)
    .max(200),
  /**
   * Activity entries: changes of participants or name. `after`: number of the message that the entry
   * follows.
   */
  lines: z
    .array(
      z.object({
        id,
        kind: z.enum(["added", "removed", "renamed"]),
        after: number,
        by: id.nullish(),
        user: id.nullish(),
        name: headingText(100),
        at: moment,
      }),
    )
    .max(10_000)
    .default([]),
  createdAt: moment,
});

export const message = z
  .object({
    type: z.literal("message"),
    id,
    conversation: id,
    author: id,
    replyTo: id.nullish(),
    body: text(MAX_TEXT_LENGTH),
    files,
    createdAt: moment,
    editedAt: moment.nullish(),
    /** Time at which the message was deleted with its text; its number remains. */
    deletedAt: moment.nullish(),
    /** People who have hidden the message for themselves. */
    hiddenFrom: z
      .array(z.object({ user: id, at: moment }))
      .max(200)
      .default([]),
  })
  .superRefine((it, context) => {
    if (it.body === "" && !it.deletedAt) addEmptyIssue(context);
  });

export const messageReaction = z.object({
  type: z.literal("message-reaction"),
  message: id,
  user: id,
  emoji,
  createdAt: moment.optional(),
});
