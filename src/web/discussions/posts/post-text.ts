import { data } from "react-router";
import { getPost } from "#community/discussions";
import { defineLoader } from "../../request-context.ts";

/**
 * Returns the text of one post, shown in place where another post replies to it; null if it is a stub for
 * this viewer.
 */
export const loader = defineLoader(async ({ db, viewer, params }) => {
  const { html } = await getPost(db, viewer, params["postId"]!);
  return data({ html });
});
