import { redirect } from "react-router";
import { getPerson } from "#community/accounts";
import { listStartedDiscussions } from "#community/discussions";
import { GUEST } from "#community/rules";
import { notFound } from "#platform/refusal";
import { feedUrl, urls } from "../urls.ts";
import { defineLoader } from "../request-context.ts";
import { assertFeedAccess, atomResponse } from "./atom-feed.ts";
import { discussionEntries } from "./discussion-entries.ts";

/** The latest public discussions that a person with a public profile has started, as an Atom feed. */
export const loader = defineLoader(async ({ ctx, db, request, params }) => {
  await assertFeedAccess(ctx);
  const person = await getPerson(db, GUEST, params["id"] ?? "");
  if (person.movedTo) return redirect(feedUrl(urls.person(person.movedTo)), 301);
  if (!person.about) throw notFound();
  return atomResponse(ctx, request, {
    id: `urn:uuid:${person.id}`,
    title: person.name,
    self: feedUrl(urls.person(person.id)),
    to: urls.person(person.id),
    language: null,
    begun: person.joinedAt,
    entries: discussionEntries(await listStartedDiscussions(db, GUEST, { authorId: person.id })),
  });
});
