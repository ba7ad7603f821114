import { redirect } from "react-router";
import { listStartedDiscussions } from "#community/discussions";
import { getGroup } from "#community/groups";
import { GUEST, groupRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { feedUrl, urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertFeedAccess, atomResponse } from "./atom-feed.ts";
import { discussionEntries } from "./discussion-entries.ts";

/** The latest discussions of a public group, as an Atom feed. */
export const loader = defineLoader(async ({ ctx, db, request, params }) => {
  await assertFeedAccess(ctx);
  const group = await getGroup(db, GUEST, params["groupId"]!.toLowerCase());
  if (!groupRules.read(GUEST, group)) throw notFound();
  const rows = await listStartedDiscussions(db, GUEST, { groupId: group.id });
  if (group.slug !== params["groupId"]) return redirect(feedUrl(urls.group(group.slug)), 301);
  return atomResponse(ctx, request, {
    id: `urn:uuid:${group.id}`,
    title: group.name,
    self: feedUrl(urls.group(group.slug)),
    to: urls.group(group.slug),
    language: null,
    begun: group.createdAt,
    entries: discussionEntries(rows),
  });
});
