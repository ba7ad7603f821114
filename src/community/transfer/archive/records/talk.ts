import { z } from "zod";
import { LIMITS } from "#community/rules";
import { clean, heading, id, languageIfAny, LONGEST, moment, number, paths, said, tags, text } from "../fields.ts";
import { audience } from "./people.ts";

export const discussion = z.object({
  type: z.literal("discussion"),
  id,
  group: id,
  author: id,
  title: heading(LIMITS.title.max),
  tags,
  language: languageIfAny,
  audience,
  archived: z.boolean().default(false),
  archivedAt: moment.nullish(),
  archivedBy: id.nullish(),
  /** Between two replies of one person; 0 for any pace. */
  slowSeconds: z.int().min(0).max(86_400).default(0),
  pinnedAt: moment.nullish(),
  pinnedBy: id.nullish(),
  pinnedUntil: moment.nullish(),
  lockedAt: moment.nullish(),
  lockedBy: id.nullish(),
  lockedReason: heading(300).nullish(),
  resolvedAt: moment.nullish(),
  resolvedBy: id.nullish(),
  /** By itself it is closed, or open again, at that moment. */
  timer: z.object({ kind: z.enum(["close", "open"]), at: moment, by: id.nullish(), reason: heading(LIMITS.reason) }).nullish(),
  /** The post that it begins with, where that may have come before as one of another discussion: then what answers it stands there. */
  begunBy: id.nullish(),
  /** Discussions that were merged into it, by the ids in their addresses here. */
  merged: z
    .array(z.object({ id, at: moment }))
    .max(1_000)
    .default([]),
  createdAt: moment,
  oldPaths: paths,
});

/** A question to those who read; its options in their order, `most` of them to be chosen. */
const poll = z.object({
  options: z.array(said(LIMITS.poll.option)).min(1).max(LIMITS.poll.options.max),
  most: z.int().min(1).max(LIMITS.poll.options.max).default(1),
  results: z.enum(["always", "voted", "ended"]).default("always"),
  closesAt: moment.nullish(),
  createdAt: moment.optional(),
});

/** What stands in a text: pictures, and what a message sends along. The text names each by its address, `/files/{id}`. */
const files = z.array(id).max(100).default([]);

/** Somebody, or a group, that a text calls by `@name`. */
const mention = z.object({ name: z.string().max(60).toLowerCase(), user: id.nullish(), group: id.nullish() });

/** What has a place, and no words any more. */
const WITHOUT_WORDS = ["deleted_by_author", "removed", "moved"];
const isEmpty = (context: z.RefinementCtx) => context.addIssue({ code: "custom", path: ["body"], message: "is empty" });

const written = z.object({
  type: z.literal("post"),
  id,
  /** One of the two: where it stands. */
  discussion: id.optional(),
  resource: id.optional(),
  /** Told for those who read the archive; the order of the records is what counts. */
  number: number.optional(),
  author: id,
  replyTo: id.nullish(),
  body: text(LONGEST),
  state: z.enum(["published", "hidden", "deleted_by_author", "removed", "moved"]).default("published"),
  /** When it was taken away: its words are kept for thirty days from then on. */
  takenAt: moment.nullish(),
  takenBy: id.nullish(),
  takenReason: heading(LIMITS.reason),
  /** Since when, and how often so far, it was hidden since several had reported it; and when it was last let be read again. */
  hiddenAt: moment.nullish(),
  hiddenTimes: z.int().min(0).max(1_000).default(0),
  shownAt: moment.nullish(),
  /** The place of a post that went elsewhere, and has come before it; where it comes later, it names the places that it left. */
  movedTo: id.nullish(),
  movedFrom: z.array(id).max(1_000).default([]),
  /** Where it stood in discussions that were merged: what its addresses there say. */
  stood: z
    .array(z.object({ discussion: id, number }))
    .max(100)
    .default([]),
  /** It answers the question that its discussion asks, which is resolved by it. */
  isAnswer: z.boolean().default(false),
  createdAt: moment,
  editedAt: moment.nullish(),
  /** How often its text has been another, and once more. */
  version: z.int().min(1).max(1_000_000).default(1),
  files,
  mentions: z.array(mention).max(200).default([]),
  poll: poll.nullish(),
  oldPaths: paths,
});

export const post = written.superRefine((it, context) => {
  if (it.body === "" && !WITHOUT_WORDS.includes(it.state)) isEmpty(context);
});

/** What a post said before it was changed, at the moment when it was. */
export const revision = z.object({
  type: z.literal("revision"),
  post: id,
  body: said(LONGEST),
  by: id,
  reason: heading(LIMITS.reason).nullish(),
  createdAt: moment,
});

/** What somebody chose in the poll of a post: an option by its place, from one. */
export const vote = z.object({
  type: z.literal("vote"),
  post: id,
  user: id,
  option: z.int().min(1).max(LIMITS.poll.options.max),
  createdAt: moment.optional(),
});

const emoji = z.string().transform(clean).pipe(z.string().min(1).max(16));

export const reaction = z.object({
  type: z.literal("reaction"),
  post: id,
  user: id,
  emoji,
  createdAt: moment.optional(),
});

export const reading = z.object({
  type: z.literal("reading"),
  discussion: id,
  user: id,
  number,
  level: z.enum(["watching", "tracking", "normal", "muted"]).default("normal"),
  /** They said so: it does not become another by reading or writing. */
  chosen: z.boolean().default(false),
  createdAt: moment.optional(),
});

export const conversation = z.object({
  type: z.literal("conversation"),
  id,
  kind: z.enum(["direct", "group"]),
  name: heading(100),
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
  /** Who was added or removed, and what it was named: each after the message with that number. */
  lines: z
    .array(
      z.object({
        id,
        kind: z.enum(["added", "removed", "renamed"]),
        after: number,
        by: id.nullish(),
        user: id.nullish(),
        name: heading(100),
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
    body: text(LONGEST),
    files,
    createdAt: moment,
    editedAt: moment.nullish(),
    /** Taken back, with its words; it keeps its number. */
    deletedAt: moment.nullish(),
    /** Who has put it out of their own sight. */
    hiddenFrom: z
      .array(z.object({ user: id, at: moment }))
      .max(200)
      .default([]),
  })
  .superRefine((it, context) => {
    if (it.body === "" && !it.deletedAt) isEmpty(context);
  });

export const messageReaction = z.object({
  type: z.literal("message-reaction"),
  message: id,
  user: id,
  emoji,
  createdAt: moment.optional(),
});
