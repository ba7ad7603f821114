import { z } from "zod";
import {
  answerSuggestion,
  addResourceBookmark,
  addCommentOrAwaitApproval,
  removeResourceBookmark,
  featureResource,
  followResource,
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
import { runPostCommand, POST_INTENTS } from "../discussions/posts/post-commands.ts";
import { readQueryParam, parseForm } from "../form-parsing.ts";
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

/** Runs a command of the resource page; returns the next URL. */
export async function runResourceCommand(
  tx: Tx,
  viewer: Viewer,
  id: string,
  form: FormData,
  url: URL,
): Promise<string> {
  form.set("resourceId", id);
  const { intent } = parseForm(IntentInput, form);
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
    case "follow":
      await followResource(tx, viewer, parseForm(ResourceLevel, form));
      return urls.resource(id);
    case "restore":
    case "bookmark":
    case "remove-bookmark":
    case "feature":
    case "unfeature":
    case "unhide":
      await SIMPLE_COMMANDS[intent](tx, viewer, { resourceId: id });
      return urls.resource(id);
    case "edit":
    case "delete":
    case "restore-post":
    case "unhide-post":
    case "remove-link-preview":
    case "reaction": {
      const { number, plain = [] } = await runPostCommand(tx, viewer, intent, form);
      return urls.resource(id, {
        post: number ?? (Number(readQueryParam(url, "post")) || undefined),
        plain: plain.join(" "),
      });
    }
  }
}
