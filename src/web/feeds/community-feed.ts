import { listStartedDiscussions } from "#community/discussions";
import { GUEST } from "#community/rules";
import { feedUrl, urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertFeedAccess, atomResponse } from "./atom-feed.ts";
import { discussionEntries } from "./discussion-entries.ts";

/** The latest discussions of all public groups, as an Atom feed. */
export const loader = defineLoader(async ({ ctx, db, app, request }) => {
  await assertFeedAccess(ctx);
  const { name } = await app.settings.get();
  return atomResponse(ctx, request, {
    id: app.origin() + feedUrl(""),
    title: name,
    self: feedUrl(""),
    to: urls.home(),
    language: null,
    begun: new Date(0),
    entries: discussionEntries(await listStartedDiscussions(db, GUEST, {})),
  });
});
