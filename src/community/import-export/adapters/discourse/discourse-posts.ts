import type { FoundRecord } from "../../archive/adapter.ts";
import { convertPolls } from "./discourse-polls.ts";
import type { Post, Topic } from "./discourse-topics.ts";
import { htmlToMarkdown } from "../html/html.ts";
import { type ForumContext, firstValidDate, authorId, createPersonRecord } from "./discourse-people.ts";

/** Id of likes among the action types of a forum. */
const LIKE = 2;

export const isAcceptedAnswer = ({ post_number }: Post, topic: Topic) =>
  post_number === topic.accepted_answer?.post_number;

export function* createPostRecord(
  post: Post,
  topic: Topic,
  here: Map<number, string>,
  at: string,
  known: ForumContext,
): Generator<FoundRecord> {
  const label = `${at}, post ${post.post_number}`;
  const { poll, votes, inText } = convertPolls(post.polls, firstValidDate(post.updated_at, post.created_at));
  const { body, dropped, nowhere, mentions } = htmlToMarkdown(post.cooked, {
    site: known.options.site,
    polls: inText,
    isHere: known.isHere,
  });
  known.nowhere += nowhere;
  known.likes += post.actions_summary.reduce((sum, { id, count }) => sum + (id === LIKE ? count : 0), 0);
  if (dropped.length > 0) yield { at: label, note: `Removed from its text: ${dropped.join(", ")}.` };
  const answered = post.reply_to_post_number;
  if (answered && !here.has(answered))
    yield { at: label, note: `It replies to post ${answered}, which is missing.` };
  yield {
    at: label,
    record: {
      type: "post",
      id: String(post.id),
      discussion: String(topic.id),
      number: post.post_number,
      author: authorId(post),
      ...(answered && here.has(answered) && answered < post.post_number && { replyTo: here.get(answered) }),
      body: body || "…",
      mentions: mentions.slice(0, 200).map((name) => ({ name, user: name })),
      state: post.hidden ? "hidden" : "published",
      isAnswer: isAcceptedAnswer(post, topic),
      createdAt: post.created_at,
      // Discourse has no edit date; the version shows that a post was edited. `updated_at` also changes with
      // likes.
      ...(post.version > 1 && { editedAt: firstValidDate(post.updated_at, post.created_at) }),
      ...(poll && { poll: { ...poll, closesAt: firstValidDate(poll.closesAt) } }),
      oldPaths: [`/t/${topic.id}/${post.post_number}`, `/p/${post.id}`],
    },
  };
  for (const { username, option } of votes) {
    yield* createPersonRecord({ username, name: undefined, created_at: post.created_at }, label, known);
    yield { at: label, record: { type: "vote", post: String(post.id), user: username, option } };
  }
}
