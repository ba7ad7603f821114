import { redirect } from "react-router";
import { listStartedDiscussions } from "#community/discussions";
import { getGroup } from "#community/groups";
import { GUEST } from "#community/rules";
import { feedUrl, urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertFeedAccess, atomResponse } from "./atom-feed.ts";

/** The latest discussions of a public group, as an Atom feed. */
export const loader = defineLoader(async ({ ctx, db, request, params }) => {
  await assertFeedAccess(ctx);
  const group = await getGroup(db, GUEST, params["groupId"]!.toLowerCase());
  const rows = await listStartedDiscussions(db, GUEST, group);
  if (group.slug !== params["groupId"]) return redirect(feedUrl(urls.group(group.slug)), 301);
  return atomResponse(ctx, request, {
    id: group.id,
    title: group.name,
    self: feedUrl(urls.group(group.slug)),
    to: urls.group(group.slug),
    language: null,
    begun: group.createdAt,
    entries: rows.map(({ id, title, createdAt, editedAt, author, html }) => ({
      id,
      title,
      to: urls.discussion(id),
      published: createdAt,
      updated: editedAt ?? createdAt,
      author: author && { name: author.name, to: urls.person(author.id) },
      html,
    })),
  });
});
