import { data } from "react-router";
import { NewMessage, sendMessage } from "#community/conversations";
import { parseForm } from "../form-parsing.ts";
import { defineAction } from "../request-context.ts";

/**
 * Same command as the page's form, for the composer that sends in the background and needs a result instead
 * of a page.
 */
export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("conversationId", params["conversationId"]!);
  const { seq } = await app.database.inTransaction((tx) =>
    sendMessage(tx, viewer, parseForm(NewMessage, form)),
  );
  return data({ number: seq, plain: [] });
});
