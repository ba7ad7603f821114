import { z } from "zod";
import {
  bookmark,
  deletePost,
  editPost,
  lockDiscussion,
  markUnread,
  NewBookmark,
  NewReaction,
  NewReply,
  NewVote,
  pinDiscussion,
  PostChange,
  react,
  removeCard,
  reopenDiscussion,
  reply,
  resolveDiscussion,
  restoreDiscussion,
  restorePost,
  setFollowLevel,
  unlockDiscussion,
  unpinDiscussion,
  unreact,
  vote,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { asked, parseForm } from "../forms.ts";
import { urls } from "../urls.ts";
import { IN_TIME } from "./spans.ts";

const Asked = z.object({
  intent: z.enum([
    "reply",
    "edit",
    "delete",
    "restore-post",
    "bookmark",
    "restore",
    "reaction",
    "follow",
    "unread",
    "lock",
    "unlock",
    "pin",
    "unpin",
    "resolve",
    "reopen",
    "remove-card",
    "vote",
  ]),
});
const Removal = z.object({ postId: z.string(), reason: z.string().optional() });
const Keeping = NewBookmark.omit({ remindAt: true }).extend({ remindIn: z.union([z.literal(""), z.enum(IN_TIME)]).default("") });
const Restoring = z.object({ postId: z.string(), reason: z.string().default("") });
/** One button each, of a form for all: what is to be done, to which post, with which emoji. */
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
const Answer = z.object({ postId: z.string().optional() });
const Reason = z.object({ reason: z.string().default("") });
const Level = z.object({ level: z.enum(["watching", "tracking", "normal", "muted"]) });
const Card = z.object({ postId: z.string(), address: z.string().max(2_000) });
const From = z.object({ from: z.coerce.number().int() });

/** Does what one of the page's forms asks for, and says where to go afterwards. */
export async function doInDiscussion(tx: Tx, viewer: Viewer, discussionId: string, form: FormData, url: URL): Promise<string> {
  const { intent } = parseForm(Asked, form);
  const it = { discussionId };
  switch (intent) {
    case "reply": {
      form.set("discussionId", discussionId);
      const { number, plain } = await reply(tx, viewer, parseForm(NewReply, form));
      return urls.discussion(discussionId, { post: number, plain: plain.join(" ") });
    }
    case "delete": {
      const { discussionGone } = await deletePost(tx, viewer, parseForm(Removal, form));
      return discussionGone ? urls.discussions() : atPost(discussionId, url);
    }
    case "unread": {
      await markUnread(tx, viewer, { ...it, from: parseForm(From, form).from });
      // Staying would read it again.
      return urls.home();
    }
    case "edit":
      return atPost(discussionId, url, (await editPost(tx, viewer, parseForm(PostChange, form))).plain);
    case "remove-card":
      return done(removeCard(tx, viewer, parseForm(Card, form)), url.pathname + url.search);
    case "reaction": {
      const { verb, number, ...reaction } = parseForm(Reaction, form).reaction;
      return done(VERBS[verb](tx, viewer, reaction), urls.discussion(discussionId, { post: number }));
    }
    case "vote":
      return urls.discussion(discussionId, { post: (await vote(tx, viewer, parseForm(NewVote, form))).number });
    case "follow":
      return done(setFollowLevel(tx, viewer, { ...it, ...parseForm(Level, form) }), url.pathname + url.search);
    case "lock":
      return done(lockDiscussion(tx, viewer, { ...it, ...parseForm(Reason, form) }), url.pathname + url.search);
    case "bookmark": {
      const { remindIn, ...wish } = parseForm(Keeping, form);
      const remindAt = remindIn ? new Date(tx.now.getTime() + Number(remindIn) * 1000) : undefined;
      return done(bookmark(tx, viewer, { ...wish, remindAt }), atPost(discussionId, url));
    }
    case "restore-post":
      return done(restorePost(tx, viewer, parseForm(Restoring, form)), atPost(discussionId, url));
    case "resolve":
      return done(resolveDiscussion(tx, viewer, { ...it, ...parseForm(Answer, form) }), url.pathname + url.search);
    case "restore":
    case "unlock":
    case "pin":
    case "unpin":
    case "reopen":
      return done(PLAIN[intent](tx, viewer, it), url.pathname + url.search);
  }
}

const PLAIN = {
  unlock: unlockDiscussion,
  pin: pinDiscussion,
  unpin: unpinDiscussion,
  restore: restoreDiscussion,
  reopen: reopenDiscussion,
};

async function done(deed: Promise<unknown>, to: string): Promise<string> {
  await deed;
  return to;
}

/** Back to the post that the address names, without what was asked to be done to it. */
const atPost = (id: string, url: URL, plain: string[] = []) => {
  const post = Number(asked(url, "post")) || undefined;
  return urls.discussion(id, post ? { post, plain: plain.join(" ") } : { page: Number(asked(url, "page")) || undefined });
};
