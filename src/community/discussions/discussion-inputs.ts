import { z } from "zod";
import {
  clientId,
  draftVersion,
  id,
  requiredText,
  optionalText,
  toStorableText,
  tags,
  optionalTags,
} from "#community/common";
import { isLanguage } from "#platform/language";
import { LIMITS } from "#community/rules";
import { keysOf } from "#platform/objects";

const postBody = requiredText("The text", "Write something first.", LIMITS.post);

const { options, option } = LIMITS.poll;
const isEmptyOrEnough = (them: string[]) => them.length === 0 || them.length >= options.min;
const isEmptyOrDate = (at: string) => at === "" || z.iso.datetime().safeParse(at).success;

/** Poll options, one per line. Empty and repeated lines are ignored. */
const pollOptions = z
  .string()
  .transform(parseOptions)
  .pipe(
    z
      .array(z.string().max(option, "An option can have 200 characters at most."))
      .max(options.max, "A poll can have 20 options at most.")
      .refine(isEmptyOrEnough, "A poll needs at least two different options."),
  );
/** Poll fields of a post form; without options there is no poll. */
const poll = {
  pollOptions: pollOptions.optional(),
  pollChoice: z.enum(["one", "several"]).optional(),
  pollResults: z.enum(["always", "voted", "ended"]).optional(),
  pollCloses: z
    .string()
    .refine(isEmptyOrDate, "Choose a day.")
    .transform((at) => (at === "" ? null : new Date(at)))
    .optional(),
};

function parseOptions(typed: string): string[] {
  const lines = toStorableText(typed).split("\n");
  const found = new Map<string, string>();
  for (const line of lines) {
    const text = line.trim().replace(/\s+/g, " ").normalize();
    if (text && !found.has(text.toLowerCase())) found.set(text.toLowerCase(), text);
  }
  return [...found.values()];
}

export const NewDiscussion = z.object({
  groupId: id,
  title: requiredText("The title", "Give the discussion a title.", LIMITS.title.max, LIMITS.title.min),
  body: postBody,
  tags,
  clientId,
  draftVersion,
  ...poll,
});
export const NewReply = z.object({
  discussionId: id,
  body: postBody,
  replyTo: id.optional(),
  clientId,
  draftVersion,
  ...poll,
});
export const NewComment = z.object({
  resourceId: id,
  body: requiredText("The comment", "Write something first.", LIMITS.comment),
  replyTo: id.optional(),
  clientId,
  draftVersion,
});
const optionPosition = z.coerce
  .number("That is not one of the options.")
  .int("That is not one of the options.");
export const NewVote = z.object({
  postId: id,
  options: z.array(optionPosition).max(options.max, "That is not one of the options.").default([]),
});
/** `version` is the version of the text that was edited; `reason` is needed for another person's post. */
export const PostEdit = z.object({
  postId: id,
  body: postBody,
  version: z.coerce.number().int().min(1).max(1_000_000_000),
  reason: optionalText("The reason", LIMITS.reason).optional(),
  draftVersion,
});
/**
 * Omitted `tags` and `language` stay unchanged. A language equal to `formerLanguage`, the value when the
 * form was rendered, also stays: it may have been detected or changed since then.
 */
export const NewTitle = z.object({
  discussionId: id,
  title: NewDiscussion.shape.title,
  tags: optionalTags,
  language: z.string().refine(isLanguage, "Choose one of the languages.").optional(),
  formerLanguage: z.string().refine(isLanguage, "Choose one of the languages.").optional(),
  reason: optionalText("The reason", 300),
});
export const NewSplit = z.object({
  discussionId: id,
  postIds: z.array(id).min(1, "Select the posts to move.").max(500, "At most 500 posts at a time."),
  title: NewDiscussion.shape.title,
  reason: optionalText("The reason", 300),
});
/** Id of a newcomer's post that is waiting for approval. */
export const PendingPostId = z.object({ pendingPostId: id });
export const PendingPostReturn = PendingPostId.extend({
  answer: requiredText("The answer", "Enter a reason. The author will read it.", LIMITS.reason),
});
export const NewBookmark = z.object({
  postId: id,
  note: optionalText("The note", 300),
  remindAt: z.date().optional(),
});
export const NewReaction = z.object({
  postId: id,
  emoji: z
    .string()
    .max(16)
    .regex(/^\p{RGI_Emoji}$/v, "A reaction is one emoji."),
});

const DRAFT_TARGET = new RegExp(
  String.raw`^(?:(?:discussion|group|conversation|resource|document` +
    String.raw`|post):[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|new:(?:group|conversation` +
    String.raw`|resource))$`,
);
type DraftFieldName = keyof typeof LIMITS.draftMore;
const DRAFT_FIELD_NAMES = keysOf(LIMITS.draftMore);
/**
 * Other fields of a draft, cut to the size limit, since a draft may have values that the form would refuse.
 * Poll settings without options are dropped.
 */
const DraftFieldsInput = z.partialRecord(z.enum(DRAFT_FIELD_NAMES), z.string()).transform((more) => {
  const isPoll = Boolean(more.pollOptions?.trim());
  const kept = DRAFT_FIELD_NAMES.map(
    (name) => [name, toStorableText(more[name]?.slice(0, LIMITS.draftMore[name]) ?? "")] as const,
  );
  return Object.fromEntries(
    kept.filter(([name, text]) => text.trim() !== "" && (isPoll || !name.startsWith("poll"))),
  ) as DraftFields;
});
export type DraftFields = Partial<Record<DraftFieldName, string>>;
/** Maximum characters of a draft's text. */
export const MAX_DRAFT_TEXT = 400_000;
export const DraftInput = z.object({
  place: z.string().regex(DRAFT_TARGET, "Write something first."),
  version: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
  title: optionalText("The title", 400),
  body: z
    .string()
    .max(MAX_DRAFT_TEXT, "A draft can have 400,000 characters at most.")
    .transform(toStorableText)
    .default(""),
  more: DraftFieldsInput.optional(),
});

/** Draft targets: the places for which a text is written. */
export const draftTargets = {
  discussion: (discussionId: string) => `discussion:${discussionId}`,
  group: (groupId: string) => `group:${groupId}`,
  conversation: (conversationId: string) => `conversation:${conversationId}`,
  /** A comment on the resource. */
  resource: (resourceId: string) => `resource:${resourceId}`,
  /** An edit of the resource's text. */
  document: (resourceId: string) => `document:${resourceId}`,
  /** An edit of the post's text. */
  post: (postId: string) => `post:${postId}`,
  newResource: "new:resource",
  newConversation: "new:conversation",
};
