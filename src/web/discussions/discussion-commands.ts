import { z } from "zod";
import {
  addBookmark,
  getDiscussion,
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
import { msg } from "#platform/messages";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import type { FormOutcome, Notice } from "../notices/notice.ts";
import { urls } from "../urls.ts";
import { isPostIntent, type PostIntent, runPostCommand, POST_INTENTS } from "./posts/post-commands.ts";
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

/** Runs the command of one of the page's forms. */
export async function runDiscussionCommand(
  tx: Tx,
  viewer: Viewer,
  discussionId: string,
  form: FormData,
  url: URL,
): Promise<FormOutcome> {
  const { intent } = parseForm(Intent, form);
  if (intent === "follow") {
    const notice = await followWithNotice(tx, viewer, { discussionId, ...parseForm(FollowInput, form) });
    return { to: url.pathname + url.search, notice };
  }
  if (isPostIntent(intent)) {
    const { number, plain, discussionGone, notice } = await runPostCommand(tx, viewer, intent, form);
    const to = discussionGone ? urls.discussions() : postAddress(discussionId, url, { post: number, plain });
    return { to, notice };
  }
  return { to: await runCommand(tx, viewer, { intent, discussionId }, form, url) };
}

/** Runs any other command and returns the address to go to. */
async function runCommand(
  tx: Tx,
  viewer: Viewer,
  {
    intent,
    discussionId,
  }: { intent: Exclude<z.output<typeof Intent>["intent"], "follow" | PostIntent>; discussionId: string },
  form: FormData,
  url: URL,
): Promise<string> {
  const it = { discussionId };
  switch (intent) {
    case "reply": {
      form.set("discussionId", discussionId);
      const result = await replyOrAwaitApproval(tx, viewer, parseForm(NewReply, form));
      if ("waits" in result) return `${urls.discussion(result.discussionId)}#waiting`;
      return urls.discussion(result.discussionId, { post: result.number, plain: result.plain.join(" ") });
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

async function followWithNotice(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof FollowInput> & { discussionId: string },
): Promise<Notice> {
  const before = await getDiscussion(tx, viewer, input.discussionId);
  await setFollowLevel(tx, viewer, input);
  return {
    message: LEVEL_MESSAGES[input.level],
    undo: { command: "set-discussion-level", fields: { discussionId: before.id, level: before.level } },
  };
}

const LEVEL_MESSAGES = {
  watching: msg("You are notified of every reply."),
  tracking: msg("Unread replies are shown first."),
  normal: msg("You are notified of replies to you and mentions."),
  muted: msg("This discussion is muted."),
};

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
