import { data } from "react-router";
import { NewMessage, sendMessage } from "#community/conversations";
import { parseForm } from "../form-parsing.ts";
import { defineAction } from "../request-context.ts";

/**
 * Runs the command of the page's form for messages sent in the background; the response is data instead of a
 * page.
 */
export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("conversationId", params["conversationId"]!);
  const { seq } = await app.database.inTransaction((tx) =>
    sendMessage(tx, viewer, parseForm(NewMessage, form)),
  );
  return data({ number: seq, plain: [] });
});
