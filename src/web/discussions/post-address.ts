import { redirect } from "react-router";
import { postFor } from "#community/discussions";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";

/** The lasting address of a post: it leads to wherever the post is. */
export const loader = reading(async ({ db, viewer, params }) => {
  const { discussionId, number } = await postFor(db, viewer, params["postId"]!);
  return redirect(urls.discussion(discussionId, { post: number }));
});
