import { z } from "zod";
import type { Bundle } from "../../archive/bundle-files.ts";
import { readJsonFile, parseJson, readTextFile } from "../../archive/text-lines.ts";
import { CATEGORY_FILES } from "./discourse-categories.ts";
import { Polls } from "./discourse-polls.ts";

// Finds the files of each topic in an archive and reads their content.

const text = z.string().catch("");
const whole = z.int().nullish().catch(null);

const Post = z.object({
  id: z.int(),
  // Posts of deleted accounts have no username.
  username: z.string().min(1).nullish().catch(null),
  name: text.optional(),
  created_at: z.string(),
  updated_at: z.string().nullish().catch(null),
  version: z.int().catch(1).default(1),
  polls: Polls,
  cooked: text.default(""),
  post_number: z.int(),
  reply_to_post_number: whole,
  post_type: z.int().catch(1).default(1),
  hidden: z.boolean().catch(false).default(false),
  user_deleted: z.boolean().catch(false).default(false),
  deleted_at: z.string().nullish(),
  actions_summary: z
    .array(z.object({ id: z.int(), count: z.int().min(0).catch(0).default(0) }))
    .catch([])
    .default([]),
});
export type Post = z.output<typeof Post>;

const Topic = z.object({
  id: z.int(),
  title: text.optional(),
  category_id: whole,
  archetype: text.default("regular"),
  visible: z.boolean().nullish().catch(false),
  deleted_at: z.unknown().optional(),
  created_at: z.string().nullish().catch(null),
  last_posted_at: z.string().nullish().catch(null),
  tags: z
    .array(z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]))
    .catch([])
    .default([]),
  closed: z.boolean().catch(false).default(false),
  archived: z.boolean().catch(false).default(false),
  pinned_at: z.string().nullish().catch(null),
  pinned_until: z.string().nullish().catch(null),
  pinned: z.boolean().catch(false).default(false),
  accepted_answer: z.object({ post_number: z.int() }).nullish().catch(null),
  post_stream: z.object({
    posts: z.array(z.unknown()).max(100_000),
    stream: z.array(z.int()).catch([]).default([]),
  }),
});
export type Topic = z.output<typeof Topic>;

export type Note = { at: string; note: string };

/** Returns the files of each topic: a long topic has several. Other files of the forum are skipped. */
export async function findTopics(bundle: Bundle): Promise<{ topics: Map<number, string[]>; notes: Note[] }> {
  const topics = new Map<number, string[]>();
  const notes: Note[] = [];
  for (const at of bundle.names.filter((it) => it.endsWith(".json") && !CATEGORY_FILES.test(it))) {
    const file = await readJsonFile(bundle, at);
    if ("fault" in file) notes.push({ at, note: file.fault });
    else if (z.object({ post_stream: z.unknown() }).safeParse(file.json).success) {
      const { success, data, error } = Topic.safeParse(file.json);
      if (success) topics.set(data.id, [...(topics.get(data.id) ?? []), at]);
      else
        notes.push({
          at,
          note: `Skipped: not a readable topic (${error.issues[0]!.path.join(".")}).`,
        });
    }
  }
  return { topics, notes };
}

/** `unread`: posts that cannot be parsed, with the reason. `withheld`: why the topic is not imported. */
export type TopicContent = {
  topic: Topic;
  posts: Post[];
  unread: string[];
  at: string;
  withheld: string | undefined;
};

/** Reads a topic with its posts by number; duplicates are dropped. */
export async function readTopic(bundle: Bundle, names: string[]): Promise<TopicContent> {
  const pages: Topic[] = [];
  for (const name of names) {
    const parsed = Topic.safeParse(parseJson(await readTextFile(await bundle.read(name), name)));
    if (parsed.success) pages.push(parsed.data);
  }
  const posts = new Map<number, Post>();
  const unread: string[] = [];
  for (const [index, one] of pages.flatMap(({ post_stream }) => post_stream.posts).entries()) {
    const parsed = Post.safeParse(one);
    if (parsed.success) posts.set(parsed.data.post_number, parsed.data);
    else unread.push(`${postLabel(one, index)} (${parsed.error.issues[0]!.path.join(".") || "no post"})`);
  }
  const topic = pages.find(({ title }) => title) ?? pages[0]!;
  const nameless = "the page with its title is missing or unreadable.";
  const withheld =
    pages.flatMap((page) => findWithholdReason(page) ?? [])[0] ?? (topic.title ? undefined : nameless);
  return {
    topic,
    posts: [...posts.values()].sort((a, b) => a.post_number - b.post_number),
    unread,
    at: names[0]!,
    withheld,
  };
}

const Numbered = z.object({ post_number: z.int() });

/** The post's number, or its position in the file if the number is unreadable. */
function postLabel(post: unknown, index: number): string {
  const parsed = Numbered.safeParse(post);
  return parsed.success ? `post ${parsed.data.post_number}` : `the post at position ${index + 1}`;
}

/**
 * The reason not to import a topic, if any. A category becomes a group whose content all members can read,
 * so topics with a smaller audience are left out.
 */
function findWithholdReason({ archetype, deleted_at, visible }: Topic): string | undefined {
  if (archetype === "private_message") return "private messages are not imported.";
  if (deleted_at) return "it was deleted.";
  if (visible === false) return "unlisted topics are not imported.";
}
