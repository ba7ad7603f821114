import { z } from "zod";
import {
  bookmark,
  bookmarkOf,
  markUnread,
  NewBookmark,
  NewReply,
  NewVote,
  reopenDiscussion,
  replyOrWait,
  resolveDiscussion,
  restoreDiscussion,
  setFollowLevel,
  vote,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { asked, parseForm } from "../forms.ts";
import { urls } from "../urls.ts";
import { doWithPost, POST_INTENTS } from "./post-verbs.ts";
import { AS_BEFORE, IN_TIME } from "./spans.ts";

const Asked = z.object({
  intent: z.enum([...POST_INTENTS, "reply", "bookmark", "restore", "follow", "unread", "resolve", "reopen", "vote"]),
});
const Keeping = NewBookmark.omit({ remindAt: true }).extend({
  remindIn: z.union([z.literal(""), z.literal(AS_BEFORE), z.enum(IN_TIME)]).default(""),
});
const Answer = z.object({ postId: z.string().optional() });
const Reason = z.object({ reason: z.string().default("") });
const Level = z.object({ level: z.enum(["watching", "tracking", "normal", "muted"]) });
const From = z.object({ from: z.coerce.number().int() });

/** Runs the command of one of the page's forms and returns the address to go to. */
export async function doInDiscussion(tx: Tx, viewer: Viewer, discussionId: string, form: FormData, url: URL): Promise<string> {
  const { intent } = parseForm(Asked, form);
  const it = { discussionId };
  switch (intent) {
    case "reply": {
      form.set("discussionId", discussionId);
      const said = await replyOrWait(tx, viewer, parseForm(NewReply, form));
      if ("waits" in said) return `${urls.discussion(said.discussionId)}#waiting`;
      return urls.discussion(said.discussionId, { post: said.number, plain: said.plain.join(" ") });
    }
    case "edit":
    case "delete":
    case "restore-post":
    case "show-post":
    case "remove-card":
    case "reaction": {
      const { number, plain, discussionGone } = await doWithPost(tx, viewer, intent, form);
      if (discussionGone) return urls.discussions();
      return atPost(discussionId, url, { post: number, plain });
    }
    case "unread": {
      await markUnread(tx, viewer, { ...it, from: parseForm(From, form).from });
      // Staying on the page would mark it as read again.
      return urls.home();
    }
    case "vote":
      return atPost(discussionId, url, { post: (await vote(tx, viewer, parseForm(NewVote, form))).number });
    case "follow":
      return done(setFollowLevel(tx, viewer, { ...it, ...parseForm(Level, form) }), url.pathname + url.search);
    case "bookmark": {
      const { remindIn, ...wish } = parseForm(Keeping, form);
      const remindAt = remindIn === AS_BEFORE ? await reminderBefore(tx, viewer, wish.postId) : inTime(tx.now, remindIn);
      return done(bookmark(tx, viewer, { ...wish, remindAt }), atPost(discussionId, url));
    }
    case "resolve":
      return done(resolveDiscussion(tx, viewer, { ...it, ...parseForm(Answer, form) }), url.pathname + url.search);
    case "restore":
      return done(restoreDiscussion(tx, viewer, { ...it, ...parseForm(Reason, form) }), url.pathname + url.search);
    case "reopen":
      return done(reopenDiscussion(tx, viewer, it), url.pathname + url.search);
  }
}

async function done(deed: Promise<unknown>, to: string): Promise<string> {
  await deed;
  return to;
}

/**
 * Back to the post, or to the one named in the address, without the opened action; on the pages that were
 * shown together.
 */
const atPost = (id: string, url: URL, { post, plain = [] }: { post?: number | undefined; plain?: string[] } = {}) => {
  const [named, page, to] = ["post", "page", "to"].map((name) => Number(asked(url, name)) || undefined);
  const at = post ?? named;
  if (at === undefined) return urls.discussion(id, { page, to });
  return urls.discussion(id, { ...(to && { page, to }), post: at, plain: plain.join(" ") });
};

const inTime = (now: Date, seconds: string) => (seconds ? new Date(now.getTime() + Number(seconds) * 1000) : undefined);

/** The reminder as it is; one that is due is dropped. */
async function reminderBefore(tx: Tx, viewer: Viewer, postId: string): Promise<Date | undefined> {
  const before = await bookmarkOf(tx, viewer, postId);
  return before?.remindAt && before.remindAt > tx.now ? before.remindAt : undefined;
}
