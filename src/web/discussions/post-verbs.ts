import { z } from "zod";
import { deletePost, editPost, NewReaction, PostChange, react, removeCard, restorePost, showPost, unreact } from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { parseForm } from "../forms.ts";

/** Intents on one post, for discussions and resources alike. */
export const POST_INTENTS = ["edit", "delete", "restore-post", "show-post", "reaction", "remove-card"] as const;
type PostIntent = (typeof POST_INTENTS)[number];

const Removal = z.object({ postId: z.string(), reason: z.string().optional() });
const Restoring = z.object({ postId: z.string(), reason: z.string().default("") });
const Shown = z.object({ postId: z.string() });
const Card = z.object({ postId: z.string(), address: z.string().max(2_000) });
/** The value of one button in the form of all reactions: command, post and emoji. */
const Reaction = z.object({
  reaction: z
    .string()
    .regex(/^(react|unreact) \d{1,6} [0-9a-f-]{36} \S{1,16}$/, "A reaction is one emoji.")
    .transform((said) => {
      const [verb, number, postId, emoji] = said.split(" ");
      return { verb, number: Number(number), postId, emoji };
    })
    .pipe(NewReaction.extend({ verb: z.enum(["react", "unreact"]), number: z.number() })),
});
const VERBS = { react, unreact };

/** The post's number, if the form has it; unresolved mentions; whether the discussion was deleted with it. */
type Done = { number?: number; plain?: string[]; discussionGone?: boolean };

export async function doWithPost(tx: Tx, viewer: Viewer, intent: PostIntent, form: FormData): Promise<Done> {
  switch (intent) {
    case "edit":
      return editPost(tx, viewer, parseForm(PostChange, form));
    case "delete":
      return deletePost(tx, viewer, parseForm(Removal, form));
    case "restore-post":
      await restorePost(tx, viewer, parseForm(Restoring, form));
      return {};
    case "show-post":
      await showPost(tx, viewer, parseForm(Shown, form));
      return {};
    case "remove-card":
      await removeCard(tx, viewer, parseForm(Card, form));
      return {};
    case "reaction": {
      const { verb, number, ...reaction } = parseForm(Reaction, form).reaction;
      await VERBS[verb](tx, viewer, reaction);
      return { number };
    }
  }
}
