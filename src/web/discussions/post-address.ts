import { redirect } from "react-router";
import { postFor } from "#community/discussions";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";

/** The lasting address of a post: it leads to wherever the post is. */
export const loader = reading(async ({ db, viewer, params }) => {
  const { discussionId, resourceId, number } = await postFor(db, viewer, params["postId"]!);
  const at = { post: number };
  return redirect(discussionId ? urls.discussion(discussionId, at) : urls.resource(resourceId!, at));
});
