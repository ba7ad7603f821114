import { z } from "zod";
import {
  addBookmark,
  getOwnBookmark,
  markUnread,
  NewBookmark,
  NewReply,
  NewVote,
  reopenDiscussion,
  replyOrAwaitApproval,
  resolveDiscussion,
  restoreDiscussion,
  setFollowLevel,
  castVote,
} from "#community/discussions";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import { urls } from "../urls.ts";
import { runPostCommand, POST_INTENTS } from "./posts/post-commands.ts";
import { UNCHANGED, TIMER_SECONDS } from "./dates-and-numbers.ts";

const Intent = z.object({
  intent: z.enum([
    ...POST_INTENTS,
    "reply",
    "bookmark",
    "restore",
    "follow",
    "unread",
    "resolve",
    "reopen",
    "vote",
  ]),
});
const BookmarkInput = NewBookmark.omit({ remindAt: true }).extend({
  remindIn: z.union([z.literal(""), z.literal(UNCHANGED), z.enum(TIMER_SECONDS)]).default(""),
});
const AnswerInput = z.object({ postId: z.string().optional() });
const ReasonInput = z.object({ reason: z.string().default("") });
const FollowInput = z.object({ level: z.enum(["watching", "tracking", "normal", "muted"]) });
const UnreadInput = z.object({ from: z.coerce.number().int() });

/** Runs the command of one of the page's forms and returns the address to go to. */
export async function runDiscussionCommand(
  tx: Tx,
  viewer: Viewer,
  discussionId: string,
  form: FormData,
  url: URL,
): Promise<string> {
  const { intent } = parseForm(Intent, form);
  const it = { discussionId };
  switch (intent) {
    case "reply": {
      form.set("discussionId", discussionId);
      const result = await replyOrAwaitApproval(tx, viewer, parseForm(NewReply, form));
      if ("waits" in result) return `${urls.discussion(result.discussionId)}#waiting`;
      return urls.discussion(result.discussionId, { post: result.number, plain: result.plain.join(" ") });
    }
    case "edit":
    case "delete":
    case "restore-post":
    case "unhide-post":
    case "remove-link-preview":
    case "reaction": {
      const { number, plain, discussionGone } = await runPostCommand(tx, viewer, intent, form);
      if (discussionGone) return urls.discussions();
      return postAddress(discussionId, url, { post: number, plain });
    }
    case "unread": {
      await markUnread(tx, viewer, { ...it, from: parseForm(UnreadInput, form).from });
      // The home page is opened, because the discussion's page would mark the discussion as read again.
      return urls.home();
    }
    case "vote":
      return postAddress(discussionId, url, {
        post: (await castVote(tx, viewer, parseForm(NewVote, form))).number,
      });
    case "follow":
      return thenGoTo(
        setFollowLevel(tx, viewer, { ...it, ...parseForm(FollowInput, form) }),
        url.pathname + url.search,
      );
    case "bookmark": {
      const { remindIn, ...bookmark } = parseForm(BookmarkInput, form);
      const remindAt =
        remindIn === UNCHANGED
          ? await currentReminder(tx, viewer, bookmark.postId)
          : afterSeconds(tx.now, remindIn);
      return thenGoTo(addBookmark(tx, viewer, { ...bookmark, remindAt }), postAddress(discussionId, url));
    }
    case "resolve":
      return thenGoTo(
        resolveDiscussion(tx, viewer, { ...it, ...parseForm(AnswerInput, form) }),
        url.pathname + url.search,
      );
    case "restore":
      return thenGoTo(
        restoreDiscussion(tx, viewer, { ...it, ...parseForm(ReasonInput, form) }),
        url.pathname + url.search,
      );
    case "reopen":
      return thenGoTo(reopenDiscussion(tx, viewer, it), url.pathname + url.search);
  }
}

async function thenGoTo(action: Promise<unknown>, to: string): Promise<string> {
  await action;
  return to;
}

/**
 * Address of a post (by default of the post in the current address) on the same range of pages, with no
 * action opened.
 */
const postAddress = (
  id: string,
  url: URL,
  { post, plain = [] }: { post?: number | undefined; plain?: string[] } = {},
) => {
  const [named, page, to] = ["post", "page", "to"].map(
    (name) => Number(readQueryParam(url, name)) || undefined,
  );
  const at = post ?? named;
  if (at === undefined) return urls.discussion(id, { page, to });
  return urls.discussion(id, { ...(to && { page, to }), post: at, plain: plain.join(" ") });
};

const afterSeconds = (now: Date, seconds: string) =>
  seconds ? new Date(now.getTime() + Number(seconds) * 1000) : undefined;

/** Returns the post's reminder; undefined if it is due already. */
async function currentReminder(tx: Tx, viewer: Viewer, postId: string): Promise<Date | undefined> {
  const before = await getOwnBookmark(tx, viewer, postId);
  return before?.remindAt && before.remindAt > tx.now ? before.remindAt : undefined;
}
