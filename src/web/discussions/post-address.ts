import { redirect } from "react-router";
import { assertNotDeleted, postFor } from "#community/discussions";
import { asked } from "../forms.ts";
import { urls } from "../urls.ts";
import { orSignIn } from "./or-sign-in.ts";
import { reading } from "../visit.ts";

/**
 * The lasting address of a post: it leads to wherever the post is; with `do=edit`, to where it is changed. A guest who does not find it is led to
 * sign in, whether there is such a post or not.
 */
export const loader = reading(async ({ db, viewer, params, url }) => {
  const post = postFor(db, viewer, params["postId"]!).catch(async (error: unknown) => {
    await assertNotDeleted(db, viewer, params["postId"]!);
    throw error;
  });
  const { id, discussionId, resourceId, number } = await orSignIn(viewer, params["postId"]!, post, () =>
    redirect(urls.login({ next: url.pathname + url.search })),
  );
  if (asked(url, "do") === "edit") {
    const there = discussionId ? urls.discussion(discussionId) : urls.resource(resourceId!);
    return redirect(there + urls.postHere(number, { edit: id }));
  }
  const at = { post: number };
  return redirect(discussionId ? urls.discussion(discussionId, at) : urls.resource(resourceId!, at));
});
