import { data } from "react-router";
import { NewReply, replyOrAwaitApproval } from "#community/discussions";
import { parseForm } from "../../form-parsing.ts";
import { defineAction } from "../../request-context.ts";

/**
 * Runs the command of the page's form for replies sent in the background; the response is data instead of a
 * page.
 */
export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("discussionId", params["id"]!);
  const result = await app.database.inTransaction((tx) =>
    replyOrAwaitApproval(tx, viewer, parseForm(NewReply, form)),
  );
  return data({
    number: "waits" in result ? null : result.number,
    discussionId: result.discussionId,
    plain: result.plain,
  });
});
