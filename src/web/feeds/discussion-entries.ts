import type { listStartedDiscussions } from "#community/discussions";
import { urls } from "../urls.ts";
import type { FeedEntry } from "./atom-feed.ts";

type StartedRows = Awaited<ReturnType<typeof listStartedDiscussions>>;

/** Entries of discussions, each with its first post. */
export const discussionEntries = (rows: StartedRows): FeedEntry[] =>
  rows.map(({ id, title, language, createdAt, editedAt, author, html }) => ({
    id,
    title,
    language,
    to: urls.discussion(id),
    published: createdAt,
    updated: editedAt ?? createdAt,
    author: author && { name: author.name, to: author.isBot ? null : urls.person(author.id) },
    html,
  }));
