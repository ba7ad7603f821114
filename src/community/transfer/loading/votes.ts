import { many, sql } from "#platform/database";
import { type Batch, type Entry, refuse, sourceIdOf, standingTies, write } from "./batch.ts";

/** The polls of posts that are new. Comments ask nothing. */
export async function placePolls(batch: Batch, posts: (Entry<"post"> & { id: string })[]): Promise<void> {
  const asking = posts.flatMap(({ id, record }) =>
    record.poll && record.discussion ? [{ id, poll: record.poll, at: record.poll.createdAt ?? record.createdAt }] : [],
  );
  await write(
    batch,
    "polls",
    asking.map(({ id, poll, at }) => ({
      post_id: id,
      most: poll.most,
      results: poll.results,
      closes_at: poll.closesAt ?? null,
      created_at: at,
    })),
  );
  await write(
    batch,
    "poll_options",
    asking.flatMap(({ id, poll }) => poll.options.map((text, i) => ({ post_id: id, position: i + 1, text }))),
  );
}

/** Who chose what. A vote for what is no option of its poll is left out, and so is one too many. */
export async function placeVotes(batch: Batch, entries: Entry<"vote">[]): Promise<void> {
  const placed = entries.map((it) => ({
    it,
    post: batch.names.of("post", it.record.post)!,
    person: batch.names.of("user", it.record.user)!,
  }));
  const standing = await standingTies(
    batch,
    "poll_votes",
    ["post_id", "person_id"],
    placed.map(({ post, person }) => [post, person] as const),
  );
  const polls = await pollsOf(
    batch,
    placed.map(({ post }) => post),
  );
  const cast = new Map<string, number>();
  const counted = placed.filter(({ it, post, person }) => {
    const tie = `${post} ${person}`;
    const before = cast.get(tie) ?? 0;
    const poll = polls.get(post);
    const fits = batch.check || (poll !== undefined && it.record.option <= poll.options && before < poll.most);
    if (fits) cast.set(tie, before + 1);
    else refuse(batch, it, "a vote for what cannot be chosen there.");
    return fits;
  });
  for (const { it, post, person } of counted)
    batch.names.add("vote", sourceIdOf(it.record), {
      localId: post,
      otherId: person,
      part: String(it.record.option),
      made: !standing.has(`${post} ${person}`),
    });
  await write(
    batch,
    "poll_votes",
    counted
      .filter(({ post, person }) => !standing.has(`${post} ${person}`))
      .map(({ it, post, person }) => ({
        post_id: post,
        position: it.record.option,
        person_id: person,
        at: it.record.createdAt ?? batch.tx.now,
      })),
  );
  batch.count("vote", "made", counted.length);
}

/** How many options each poll has, and how many of them one person may choose. */
async function pollsOf(batch: Batch, posts: string[]): Promise<Map<string, { options: number; most: number }>> {
  if (batch.check || posts.length === 0) return new Map();
  const rows = await many(
    batch.tx,
    sql<{ id: string; options: number; most: number }>`
      select y.post_id as id, y.most, (select count(*)::int from poll_options o where o.post_id = y.post_id) as options
      from polls y where y.post_id = any(${posts}::uuid[])`,
  );
  return new Map(rows.map(({ id, ...poll }) => [id, poll]));
}
