import { z } from "zod";
import {
  answerSuggestion,
  addResourceBookmark,
  addCommentOrAwaitApproval,
  removeResourceBookmark,
  featureResource,
  followResource,
  getResource,
  NewComment,
  NewSuggestion,
  removeResource,
  ResourceLevel,
  ResourceRemoval,
  restoreResource,
  suggestAddress,
  SuggestionAnswer,
  unfeatureResource,
  unhideResource,
} from "#community/resources";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { msg } from "#platform/messages";
import {
  isPostIntent,
  type PostIntent,
  runPostCommand,
  POST_INTENTS,
} from "../discussions/posts/post-commands.ts";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import type { FormOutcome, Notice } from "../notices/notice.ts";
import { urls } from "../urls.ts";

const SIMPLE_COMMANDS = {
  restore: restoreResource,
  bookmark: addResourceBookmark,
  "remove-bookmark": removeResourceBookmark,
  feature: featureResource,
  unfeature: unfeatureResource,
  unhide: unhideResource,
};
const INTENTS = [
  "comment",
  "remove",
  "follow",
  "restore",
  "bookmark",
  "remove-bookmark",
  "feature",
  "unfeature",
  "unhide",
  "suggest",
  "answer-suggestion",
  ...POST_INTENTS,
] as const;
const IntentInput = z.object({ intent: z.enum(INTENTS, "This action does not exist.") });

/** Runs a command of the resource page. */
export async function runResourceCommand(
  tx: Tx,
  viewer: Viewer,
  id: string,
  form: FormData,
  url: URL,
): Promise<FormOutcome> {
  form.set("resourceId", id);
  const { intent } = parseForm(IntentInput, form);
  if (intent === "follow") {
    const notice = await followWithNotice(tx, viewer, parseForm(ResourceLevel, form));
    return { to: urls.resource(id), notice };
  }
  if (isPostIntent(intent)) {
    const { number, plain = [], notice } = await runPostCommand(tx, viewer, intent, form);
    const post = number ?? (Number(readQueryParam(url, "post")) || undefined);
    return { to: urls.resource(id, { post, plain: plain.join(" ") }), notice };
  }
  const to = await runCommand(tx, viewer, { id, intent }, form);
  const undo = { command: "bookmark-resource", fields: { resourceId: id } } as const;
  return {
    to,
    notice: intent === "remove-bookmark" ? { message: msg("Bookmark removed."), undo } : undefined,
  };
}

async function followWithNotice(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof ResourceLevel>,
): Promise<Notice> {
  const before = await getResource(tx, viewer, input.resourceId);
  await followResource(tx, viewer, input);
  return {
    message: LEVEL_MESSAGES[input.level],
    undo: { command: "set-resource-level", fields: { resourceId: before.id, level: before.level } },
  };
}

const LEVEL_MESSAGES = {
  watching: msg("You are notified of every comment and new version."),
  normal: msg("You are notified of replies to you and mentions."),
  muted: msg("This resource is muted."),
};

/** Runs any other command and returns the address to go to. */
async function runCommand(
  tx: Tx,
  viewer: Viewer,
  { id, intent }: { id: string; intent: Exclude<(typeof INTENTS)[number], "follow" | PostIntent> },
  form: FormData,
): Promise<string> {
  switch (intent) {
    case "comment": {
      const result = await addCommentOrAwaitApproval(tx, viewer, parseForm(NewComment, form));
      if ("waits" in result) return `${urls.resource(id)}#waiting`;
      return urls.resource(id, { post: result.number, plain: result.plain.join(" ") });
    }
    case "suggest":
      await suggestAddress(tx, viewer, parseForm(NewSuggestion, form));
      return urls.resource(id);
    case "answer-suggestion":
      await answerSuggestion(tx, viewer, parseForm(SuggestionAnswer, form));
      return urls.resource(id);
    case "remove":
      await removeResource(tx, viewer, parseForm(ResourceRemoval, form));
      return urls.resource(id);
    case "restore":
    case "bookmark":
    case "remove-bookmark":
    case "feature":
    case "unfeature":
    case "unhide":
      await SIMPLE_COMMANDS[intent](tx, viewer, { resourceId: id });
      return urls.resource(id);
  }
}
