import { redirect } from "react-router";
import { startedIn } from "#community/discussions";
import { groupFor } from "#community/groups";
import { GUEST } from "#community/rules";
import { feedOf, urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { assertFeeds, atomAnswer } from "./atom.ts";

/** The latest discussions of a public group, as an Atom feed. */
export const loader = reading(async ({ visit, db, request, params }) => {
  await assertFeeds(visit);
  const group = await groupFor(db, GUEST, params["groupId"]!.toLowerCase());
  const rows = await startedIn(db, GUEST, group);
  if (group.slug !== params["groupId"]) return redirect(feedOf(urls.group(group.slug)), 301);
  return atomAnswer(visit, request, {
    id: group.id,
    title: group.name,
    self: feedOf(urls.group(group.slug)),
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
