import { data } from "react-router";
import { postFor } from "#community/discussions";
import { reading } from "../visit.ts";

/**
 * The text of one post, to be read in place where another post replies to it. Null if it is a stub for this
 * viewer.
 */
export const loader = reading(async ({ db, viewer, params }) => {
  const { html } = await postFor(db, viewer, params["postId"]!);
  return data({ html });
});
