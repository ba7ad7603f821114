import { data } from "react-router";
import { NewReply, reply } from "#community/discussions";
import { parseForm } from "../forms.ts";
import { acting } from "../visit.ts";

/** The same verb as the page's form, for the composer that sends in the background: it wants an answer, not a page. */
export const action = acting(async ({ house, viewer, form, params }) => {
  form.set("discussionId", params["id"]!);
  const { number, discussionId, plain } = await house.database.inOneVerb((tx) => reply(tx, viewer, parseForm(NewReply, form)));
  return data({ number, discussionId, plain });
});
