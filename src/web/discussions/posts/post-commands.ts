import { z } from "zod";
import {
  deletePost,
  editPost,
  NewReaction,
  PostEdit,
  addReaction,
  removeLinkPreview,
  restorePost,
  unhidePost,
  removeReaction,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { parseForm } from "../../form-parsing.ts";
import type { Notice } from "../../notices/notice.ts";

/** Intents of commands on one post, in discussions and below resources. */
export const POST_INTENTS = [
  "edit",
  "delete",
  "restore-post",
  "unhide-post",
  "reaction",
  "remove-link-preview",
] as const;
export type PostIntent = (typeof POST_INTENTS)[number];
export const isPostIntent = (intent: string): intent is PostIntent =>
  POST_INTENTS.some((name) => name === intent);

const RemovalInput = z.object({ postId: z.string(), reason: z.string().optional() });
const RestoreInput = z.object({ postId: z.string(), reason: z.string().default("") });
const ShowInput = z.object({ postId: z.string() });
const PreviewRemovalInput = z.object({ postId: z.string(), address: z.string().max(2_000) });
/** The value of a button in the form for all reactions: command, post and emoji. */
const ReactionInput = z.object({
  reaction: z
    .string()
    .regex(/^(react|unreact) \d{1,6} [0-9a-f-]{36} \S{1,16}$/, "A reaction is one emoji.")
    .transform((value) => {
      const [verb, number, postId, emoji] = value.split(" ");
      return { verb, number: Number(number), postId, emoji };
    })
    .pipe(NewReaction.extend({ verb: z.enum(["react", "unreact"]), number: z.number() })),
});
const REACTION_COMMANDS = { react: addReaction, unreact: removeReaction };

/**
 * `number`: number of the post, if the form names it; `plain`: unresolved mentions; `discussionGone`:
 * whether the discussion was deleted with the post; `notice`: what was done, if it can be undone.
 */
type PostCommandResult = {
  number?: number;
  plain?: string[];
  discussionGone?: boolean;
  notice?: Notice | undefined;
};

export async function runPostCommand(
  tx: Tx,
  viewer: Viewer,
  intent: PostIntent,
  form: FormData,
): Promise<PostCommandResult> {
  switch (intent) {
    case "edit":
      return editPost(tx, viewer, parseForm(PostEdit, form));
    case "delete":
      return deletePostWithNotice(tx, viewer, parseForm(RemovalInput, form));
    case "restore-post":
      await restorePost(tx, viewer, parseForm(RestoreInput, form));
      return {};
    case "unhide-post":
      await unhidePost(tx, viewer, parseForm(ShowInput, form));
      return {};
    case "remove-link-preview":
      await removeLinkPreview(tx, viewer, parseForm(PreviewRemovalInput, form));
      return {};
    case "reaction": {
      const { verb, number, ...reaction } = parseForm(ReactionInput, form).reaction;
      await REACTION_COMMANDS[verb](tx, viewer, reaction);
      return { number };
    }
  }
}

/**
 * The author of a deleted post can take the deletion back. Without a reason, only the author can delete it; a
 * moderator restores a post with a reason.
 */
async function deletePostWithNotice(tx: Tx, viewer: Viewer, removal: z.output<typeof RemovalInput>) {
  const { discussionGone } = await deletePost(tx, viewer, removal);
  const undo = { command: "restore-own-post" as const, fields: { postId: removal.postId } };
  return {
    discussionGone,
    ...(!removal.reason?.trim() && { notice: { message: msg("Your post was deleted."), undo } }),
  };
}
