import { data } from "react-router";
import { NewReply, replyOrHold } from "#community/discussions";
import { parseForm } from "../../form-parsing.ts";
import { defineAction } from "../../request-context.ts";

/**
 * Runs the command of the page's form for replies sent in the background; the response is data instead of a
 * page.
 */
export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("discussionId", params["id"]!);
  const said = await app.database.inTransaction((tx) => replyOrHold(tx, viewer, parseForm(NewReply, form)));
  return data({
    number: "waits" in said ? null : said.number,
    discussionId: said.discussionId,
    plain: said.plain,
  });
});
