import { DAY, addMilliseconds } from "#platform/clock";
import { maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound, Refusal } from "#platform/refusal";
import type { z } from "zod";
import { requireSignedIn } from "#community/friends";
import {
  discussionRules,
  LIMITS,
  type PollFacts,
  pollRules,
  type SignedIn,
  type Viewer,
} from "#community/rules";
import { getPostForUpdate } from "../posts/editable-post.ts";
import { cannotReplyRefusal } from "../discussion.ts";
import type { NewReply, NewVote } from "../discussion-inputs.ts";

type PollInput = Pick<z.output<typeof NewReply>, "pollOptions" | "pollChoice" | "pollResults" | "pollCloses">;

/**
 * Adds the requested poll, if any, to a new post.
 * @throws `invalid` on the poll field that is wrong
 */
export async function createPoll(tx: Tx, postId: string, pollInput: PollInput): Promise<void> {
  const { pollOptions = [], pollChoice = "one", pollResults = "always", pollCloses = null } = pollInput;
  if (pollOptions.length === 0) return;
  assertPoll(tx, pollInput);
  await run(
    tx,
    sql`with poll as (
          insert into polls (post_id, most, results, closes_at, created_at)
          values (${postId}, ${pollChoice === "one" ? 1 : LIMITS.poll.options.max}, ${pollResults},
            ${pollCloses}, ${tx.now}) returning post_id)
        insert into poll_options (post_id, position, text)
        select poll.post_id, it.position, it.text
        from poll, unnest(${pollOptions}::text[]) with ordinality it(text, position)`,
  );
}

/**
 * Asserts that the poll can be created.
 * @throws `invalid` on the field that is wrong
 */
export function assertPoll(
  tx: Tx,
  { pollOptions = [], pollResults = "always", pollCloses = null }: PollInput,
): void {
  if (pollOptions.length === 0) return;
  if (pollCloses && (pollCloses <= tx.now || pollCloses > addMilliseconds(tx.now, LIMITS.poll.days * DAY)))
    throw invalid("pollCloses", "Choose a day within the next year.");
  if (pollResults === "ended" && !pollCloses)
    throw invalid("pollCloses", "To show results at the end, set a day on which the poll closes.");
}

/**
 * Votes in a poll. `options` are positions that replace the viewer's former choice; an empty list withdraws
 * the vote. Returns the post's number.
 * @throws `not-found` for a post without poll, `not-allowed` if the viewer may not reply or the poll is
 * closed, `invalid` for an unknown option, several where one is allowed, or an empty list without an earlier
 * vote
 */
export async function castVote(
  tx: Tx,
  viewer: Viewer,
  input: z.output<typeof NewVote>,
): Promise<{ number: number }> {
  const me = requireSignedIn(viewer);
  const { post, container } = await getPostForUpdate(tx, me, input.postId);
  const { discussion } = container;
  if (!discussion) throw notFound();
  const poll = await getPollForVote(tx, me, post.id);
  if (!discussionRules.reply(me, discussion)) throw cannotReplyRefusal(me, discussion);
  if (post.blockedEitherWay || discussionRules.stub(me, post, false))
    throw new Refusal("not-allowed", "This post has no poll.");
  if (!pollRules.vote(me, poll, discussion, tx.now)) throw new Refusal("not-allowed", "This poll is closed.");
  const chosen = validateChoice(poll, input.options);
  if (chosen.join() === poll.mine.join()) return { number: post.number };
  await run(
    tx,
    sql`delete from poll_votes
      where post_id = ${post.id} and person_id = ${me.id} and position <> all(${chosen}::int[])`,
  );
  await run(
    tx,
    sql`insert into poll_votes (post_id, position, person_id, at)
        select ${post.id}, position, ${me.id}, ${tx.now} from unnest(${chosen}::int[]) position
        on conflict do nothing`,
  );
  await emit(tx, {
    type: "poll.voted",
    discussionId: discussion.id,
    groupId: discussion.group.id,
    postId: post.id,
    by: me.id,
  });
  return { number: post.number };
}

type Poll = PollFacts & { most: number; positions: number[]; mine: number[] };

async function getPollForVote(tx: Tx, me: SignedIn, postId: string): Promise<Poll> {
  const poll = await maybeOne(
    tx,
    sql<Poll>`
      select y.most, y.results, y.closes_at as "closesAt",
        array(select position from poll_options where post_id = y.post_id order by position) as positions,
        array(select position from poll_votes where post_id = y.post_id and person_id = ${me.id}
          order by position) as mine
      from polls y where y.post_id = ${postId}`,
  );
  if (!poll) throw notFound();
  return poll;
}

function validateChoice({ most, positions, mine }: Poll, wanted: number[]): number[] {
  const chosen = [...new Set(wanted)].toSorted((a, b) => a - b);
  if (!chosen.every((position) => positions.includes(position)))
    throw invalid("options", "That is not one of the options.");
  if (chosen.length > most) throw invalid("options", "Choose one option.");
  if (chosen.length === 0 && mine.length === 0) throw invalid("options", "Choose an option first.");
  return chosen;
}
