import { redirect } from "react-router";
import { assertNotDeleted, getPost } from "#community/discussions";
import { readQueryParam } from "../../form-parsing.ts";
import { urls } from "../../urls.ts";
import { askGuestToSignIn } from "../ask-guest-to-sign-in.ts";
import { defineLoader } from "../../request-context.ts";

/**
 * Redirects from a post's permanent address to its current page; with `do=edit`, to its edit form. A guest
 * who cannot see the post is sent to sign in, whether it exists or not.
 */
export const loader = defineLoader(async ({ db, viewer, params, url }) => {
  const post = getPost(db, viewer, params["postId"]!).catch(async (error: unknown) => {
    await assertNotDeleted(db, viewer, params["postId"]!);
    throw error;
  });
  const { id, discussionId, resourceId, number } = await askGuestToSignIn(
    viewer,
    params["postId"]!,
    post,
    () => redirect(urls.login({ next: url.pathname + url.search })),
  );
  if (readQueryParam(url, "do") === "edit") {
    const there = discussionId ? urls.discussion(discussionId) : urls.resource(resourceId!);
    return redirect(there + urls.postHere(number, { edit: id }));
  }
  const at = { post: number };
  return redirect(discussionId ? urls.discussion(discussionId, at) : urls.resource(resourceId!, at));
});
