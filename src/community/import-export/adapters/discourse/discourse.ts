import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Adapter, FoundRecord } from "../../archive/adapter.ts";
import type { Bundle } from "../../archive/bundle-files.ts";
import { padWithDots } from "../../archive/record-fields.ts";
import { resultOrErrorMessage, readTextFile } from "../../archive/text-lines.ts";
import { readCategories } from "./discourse-categories.ts";
import {
  type Note,
  type Post,
  readTopic,
  type Topic,
  findTopics,
  type TopicContent,
} from "./discourse-topics.ts";
import { type ForumContext, createPeopleRecords, firstValidDate, authorId } from "./discourse-people.ts";
import { createPostRecord, isAcceptedAnswer } from "./discourse-posts.ts";

// Reads topics in the format in which a Discourse forum publishes them: `/t/{id}.json`, one file or a folder
// of them. Optional files: `categories.json` or `site.json` for group names, and `users.csv` with emails
// that identify authors.

/** Whispers are for staff only, and small actions have no text. */
const POST_TYPES = { regular: 1, moderator: 2 } as const;

export const discourseAdapter: Adapter = async function* (bundle, options) {
  const { topics, notes } = await findTopics(bundle);
  if (topics.size === 0) {
    const why = notes[0] ? `${notes[0].at}: ${notes[0].note}` : "files such as 12.json with a post_stream.";
    throw new Refusal("invalid", msg("This archive has no topic of a Discourse forum: {why}", { why }));
  }
  yield* notes;
  const users = await readEmailAddresses(bundle);
  const categories = await readCategories(bundle);
  yield* [...users.notes, ...categories.notes];
  const isHere = (id: number) => topics.has(id);
  const known: ForumContext = {
    options,
    isHere,
    addresses: users.addresses,
    ...categories,
    people: new Set(),
    opened: new Set(),
    nowhere: 0,
    likes: 0,
  };
  for (const id of [...topics.keys()].sort((a, b) => a - b)) {
    const it = await readTopic(bundle, topics.get(id)!);
    if (it.withheld) yield { at: it.at, note: `Skipped: ${it.withheld}` };
    else yield* createTopicRecords(it, known);
  }
  if (known.likes > 0)
    yield {
      at: bundle.name,
      note: `Skipped ${known.likes} likes: topics contain only their number, not who gave them.`,
    };
  if (known.nowhere > 0) yield { at: bundle.name, note: `${known.nowhere} ${MISSING_SITE_NOTE}` };
};

const MISSING_SITE_NOTE =
  "pictures and links point to the forum, whose address is unknown: set it with --site.";

/** Emails by username, from the list that an admin of the forum can download. */
async function readEmailAddresses(
  bundle: Bundle,
): Promise<{ addresses: Map<string, string>; notes: Note[] }> {
  const at = bundle.names.find((it) => /(?:^|\/)users?[\w-]*\.csv$/.test(it));
  const addresses = new Map<string, string>();
  if (!at) return { addresses, notes: [] };
  const list = await resultOrErrorMessage(async () => readTextFile(await bundle.read(at), at));
  if ("fault" in list) return { addresses, notes: [{ at, note: `Skipped: ${list.fault}` }] };
  const rows = Readable.from([list.whole]).pipe(
    parse({ columns: true, bom: true, relax_column_count: true }),
  ) as AsyncIterable<Record<string, string>>;
  try {
    for await (const row of rows)
      if (row["username"] && row["email"]) addresses.set(row["username"].toLowerCase(), row["email"]);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      addresses,
      notes: [
        { at, note: `It cannot be read after its first ${addresses.size} addresses: ${error.message}` },
      ],
    };
  }
  return { addresses, notes: [] };
}

/** Maximum number of names in a list; `…` replaces the others. */
const LISTED_NAMES = 20;
const formatShortList = (all: string[]) =>
  (all.length > LISTED_NAMES ? [...all.slice(0, LISTED_NAMES), "…"] : all).join(", ");

function* createTopicRecords(topicContent: TopicContent, known: ForumContext): Generator<FoundRecord> {
  const { topic, at, posts, unread } = topicContent;
  const importedPosts = posts.filter(
    (post) =>
      Object.values(POST_TYPES).some((kind) => kind === post.post_type) &&
      !post.user_deleted &&
      !post.deleted_at,
  );
  const listed = topic?.post_stream.stream.length ?? 0;
  if (unread.length > 0)
    yield {
      at,
      note: `${unread.length} posts of this topic cannot be read: ${formatShortList(unread)}.`,
    };
  if (listed > posts.length)
    yield {
      at,
      note: `${listed - posts.length} of the ${listed} posts of this topic are not in the archive.`,
    };
  const skipped = posts.length - importedPosts.length;
  if (skipped > 0)
    yield {
      at,
      note: `Skipped ${skipped} deleted posts, whispers and system messages of this topic.`,
    };
  if (!importedPosts[0]) return yield { at, note: "Skipped: none of its posts can be imported." };
  yield* createPeopleRecords(importedPosts, at, known);
  yield* createGroupRecord(topic, importedPosts[0], at, known);
  yield { at, record: createDiscussionRecord(topic, importedPosts) };
  const here = new Map(importedPosts.map(({ post_number, id }) => [post_number, String(id)]));
  for (const post of importedPosts) yield* createPostRecord(post, topic, here, at, known);
}

const categoryGroupId = ({ category_id }: Topic) => String(category_id ?? "none");
const describeCategory = ({ category_id }: Topic) =>
  category_id ? `category ${category_id}` : "a category of this topic";

function* createGroupRecord(
  topic: Topic,
  first: Post,
  at: string,
  { categories, isListed, opened, options }: ForumContext,
): Generator<FoundRecord> {
  const id = categoryGroupId(topic);
  if (opened.has(id)) return;
  opened.add(id);
  const category = categories.get(topic.category_id ?? -1);
  if (!category && isListed)
    yield {
      at,
      note: `No list contains ${describeCategory(topic)}: it may be closed, so its group is imported as private.`,
    };
  const name =
    category?.name ??
    (topic.category_id
      ? `Category ${topic.category_id}`
      : options.site
        ? new URL(options.site).hostname
        : "Discourse");
  const visibility = !category || category.read_restricted ? "private" : "public";
  const byNumber = topic.category_id ? [`/c/${topic.category_id}`] : [];
  const oldPaths = category?.slug
    ? [`/c/${category.slug}/${category.id}`, `/c/${category.slug}`, ...byNumber]
    : byNumber;
  yield {
    at,
    record: {
      type: "group",
      id,
      name: padWithDots(name, 2),
      purpose: category?.description_text ?? "",
      visibility,
      oldPaths,
      joinPolicy: visibility === "public" ? "open" : "request",
      createdAt: firstValidDate(topic.created_at, first.created_at),
    },
  };
}

function createDiscussionRecord(topic: Topic, posts: Post[]) {
  const first = posts[0]!;
  const written = posts.map(({ created_at }) => created_at);
  const answer = posts.find((post) => isAcceptedAnswer(post, topic));
  const pinnedAt = firstValidDate(topic.pinned_at, ...(topic.pinned ? written : []));
  return {
    type: "discussion",
    id: String(topic.id),
    group: categoryGroupId(topic),
    author: authorId(first),
    title: topic.title ?? "",
    tags: topic.tags,
    archived: topic.archived,
    ...(pinnedAt && { pinnedAt, pinnedUntil: firstValidDate(topic.pinned_until) }),
    ...(topic.closed && { lockedAt: firstValidDate(topic.last_posted_at, ...written.toReversed()) }),
    ...(answer && { resolvedAt: firstValidDate(answer.created_at), resolvedBy: authorId(first) }),
    createdAt: firstValidDate(topic.created_at, ...written),
    oldPaths: [`/t/${topic.id}`],
  };
}
