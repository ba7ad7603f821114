import { MINUTE } from "#platform/clock";
import { uuidv7 } from "#platform/ids";
import { renderMarkdown } from "#platform/markup";
import type { DemoConversation, DemoDiscussion, DemoGroup } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import { listDemoPosts, type SeedingContext } from "./seeding-context.ts";

type DemoEntry = { group: DemoGroup; it: DemoDiscussion };

const listDemoDiscussions = (s: SeedingContext): DemoEntry[] =>
  s.demo.groups.flatMap((group) => (s.demo.discussions[group.slug] ?? []).map((it) => ({ group, it })));

export const createDiscussionRows = (s: SeedingContext): Row[] =>
  listDemoDiscussions(s).map(({ group, it }) => {
    const posts = listDemoPosts(it);
    const last = posts.at(-1)!;
    const owner = s.person(group.owner);
    return {
      id: s.discussion(it.key),
      group_id: s.group(group.slug),
      author_id: s.person(it.author),
      title: it.title,
      tags: it.tags,
      language: it.language,
      language_known: true,
      state: "open",
      pinned_at: it.pinned ? s.at(it.ago) : null,
      pinned_by: it.pinned ? owner : null,
      locked_at: it.locked ? s.at(last.ago) : null,
      locked_by: it.locked ? owner : null,
      locked_reason: it.locked ?? null,
      resolved_at: it.resolved ? s.at(last.ago) : null,
      resolved_by: it.resolved ? s.person(it.author) : null,
      posts_count: posts.filter((post) => post.n === 1 || !post.deleted).length,
      last_number: last.n,
      last_post_at: s.at(last.ago),
      last_post_by: s.person(last.author),
      created_at: s.at(it.ago),
    };
  });

export const createPostRows = (s: SeedingContext): Row[] =>
  listDemoDiscussions(s).flatMap(({ it }) =>
    listDemoPosts(it).map((post) => ({
      id: s.post(it.key, post.n),
      discussion_id: s.discussion(it.key),
      number: post.n,
      author_id: s.person(post.author),
      reply_to: post.replyTo ? s.post(it.key, post.replyTo) : null,
      body_md: post.body,
      body_html: renderMarkdown(post.body, s.post(it.key, post.n)),
      state: post.deleted ? "deleted_by_author" : "published",
      created_at: s.at(post.ago),
      edited_at: post.editedAgo ? s.at(post.editedAgo) : null,
    })),
  );

export const createReactionRows = (s: SeedingContext): Row[] =>
  listDemoDiscussions(s).flatMap(({ it }) =>
    listDemoPosts(it).flatMap((post) =>
      Object.entries(post.reactions ?? {}).flatMap(([emoji, people]) =>
        people.map((who, i) => ({
          post_id: s.post(it.key, post.n),
          person_id: s.person(who),
          emoji,
          created_at: new Date(Math.min(s.at(0).getTime(), s.at(post.ago).getTime() + (i + 1) * 7 * MINUTE)),
        })),
      ),
    ),
  );

/** Creates read positions. Authors follow the discussions in which they wrote. */
export const createReadPositionRows = (s: SeedingContext): Row[] => {
  const placed = new Map(listDemoDiscussions(s).map(({ it }) => [it.key, it]));
  const writers = new Map([...placed].map(([key, it]) => [key, lastPostByAuthor(it)]));
  const rows = new Map<string, Row>();
  const add = (who: string, key: string, number: number) =>
    rows.set(`${who} ${key}`, {
      person_id: s.person(who),
      discussion_id: s.discussion(key),
      last_read_number: number,
      read_at: s.at(listDemoPosts(placed.get(key)!).find((post) => post.n === number)?.ago ?? 0),
      level: writers.get(key)?.has(who) ? "tracking" : "normal",
    });
  for (const [key, numbers] of writers) for (const [who, number] of numbers) add(who, key, number);
  for (const [who, read] of Object.entries(s.demo.reading))
    for (const [key, number] of Object.entries(read)) add(who, key, number);
  return [...rows.values()];
};

const lastPostByAuthor = (it: DemoDiscussion) =>
  new Map(listDemoPosts(it).map((post) => [post.author, post.n]));

/** Conversations, participants and messages as three lists of rows. */
export function createConversationRows(s: SeedingContext): {
  conversations: Row[];
  participants: Row[];
  messages: Row[];
} {
  const each = s.demo.conversations.map((it) => createConversation(s, it));
  return {
    conversations: each.map((it) => it.conversation),
    participants: each.flatMap((it) => it.participants),
    messages: each.flatMap((it) => it.messages),
  };
}

function createConversation(s: SeedingContext, demoConversation: DemoConversation) {
  const first = s.at(demoConversation.messages[0]!.ago);
  const id = uuidv7(first.getTime());
  const conversation = {
    id,
    kind: demoConversation.kind,
    name: demoConversation.name ?? "",
    creator_id: s.person(demoConversation.messages[0]!.by),
    pair:
      demoConversation.kind === "direct"
        ? demoConversation.participants.map(s.person).sort().join(":")
        : null,
    last_seq: demoConversation.messages.length,
    last_message_at: s.at(demoConversation.messages.at(-1)!.ago),
    created_at: first,
  };
  const participants = demoConversation.participants.map((who) => ({
    conversation_id: id,
    person_id: s.person(who),
    state: "accepted",
    last_seq: conversation.last_seq,
    last_message_at: conversation.last_message_at,
    last_read_seq: demoConversation.readUpTo[who] ?? 0,
    joined_seq: 0,
    joined_at: first,
  }));
  const messages = demoConversation.messages.map(({ by, ago, body }, i) => ({
    id: uuidv7(s.at(ago).getTime()),
    conversation_id: id,
    seq: i + 1,
    author_id: s.person(by),
    body_md: body,
    body_html: renderMarkdown(body),
    created_at: s.at(ago),
  }));
  return { conversation, participants, messages };
}
