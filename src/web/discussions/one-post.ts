import { data } from "react-router";
import { postFor } from "#community/discussions";
import { reading } from "../visit.ts";

/** One post's text, for who wants to read in place what another post answers. Null where the viewer finds a stub. */
export const loader = reading(async ({ db, viewer, params }) => {
  const { html } = await postFor(db, viewer, params["postId"]!);
  return data({ html });
});
