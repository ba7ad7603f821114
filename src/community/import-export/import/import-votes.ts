import { many, sql } from "#platform/database";
import {
  type Batch,
  type Entry,
  type ImportedPoll,
  refuseRecord,
  formatSourceId,
  writeRows,
} from "./import-batch.ts";

/** Polls of new posts. Comments have none. */
export async function importPolls(batch: Batch, posts: (Entry<"post"> & { id: string })[]): Promise<void> {
  const asking = posts.flatMap(({ id, record }) =>
    record.poll && record.discussion
      ? [{ id, poll: record.poll, at: record.poll.createdAt ?? record.createdAt }]
      : [],
  );
  if (batch.check)
    for (const { id, poll } of asking)
      batch.checked.polls.set(id, { options: poll.options.length, most: poll.most });
  await writeRows(
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
  await writeRows(
    batch,
    "poll_options",
    asking.flatMap(({ id, poll }) => poll.options.map((text, i) => ({ post_id: id, position: i + 1, text }))),
  );
}

type Vote = { it: Entry<"vote">; post: string; person: string };
const voteKey = ({ post, person }: Omit<Vote, "it">) => `${post} ${person}`;

/**
 * Imports votes. Drops votes for an unknown option or beyond the limit. If the person has voted here
 * meanwhile, that vote is kept instead.
 */
export async function importVotes(batch: Batch, entries: Entry<"vote">[]): Promise<void> {
  const votes = entries.map((entry): Vote => {
    return {
      it: entry,
      post: batch.names.of("post", entry.record.post)!,
      person: batch.names.of("user", entry.record.user)!,
    };
  });
  const [polls, standing] = [await loadPolls(batch, votes), await countExistingVotes(batch, votes)];
  const fresh: Vote[] = [];
  for (const vote of votes) {
    const { it, post } = vote;
    const [poll, here] = [
      polls.get(post),
      standing.get(voteKey(vote)) ?? { own: false, cast: batch.checked.votes.get(voteKey(vote)) ?? 0 },
    ];
    const isKnown = here.own && poll !== undefined && it.record.option <= poll.options;
    const fits = isKnown || (poll !== undefined && it.record.option <= poll.options && here.cast < poll.most);
    if (!fits) {
      refuseRecord(batch, it, "the option does not exist.");
      continue;
    }
    if (!isKnown) {
      fresh.push(vote);
      standing.set(voteKey(vote), { own: false, cast: here.cast + 1 });
      if (batch.check) batch.checked.votes.set(voteKey(vote), here.cast + 1);
    }
    batch.count("vote", isKnown ? "known" : "made");
    const { option } = it.record;
    batch.names.add("vote", formatSourceId(it.record), {
      localId: post,
      otherId: vote.person,
      part: String(option),
      made: !isKnown,
    });
  }
  await writeRows(
    batch,
    "poll_votes",
    fresh.map(({ it, post, person }) => ({
      post_id: post,
      position: it.record.option,
      person_id: person,
      at: it.record.createdAt ?? batch.tx.now,
    })),
  );
}

/** The polls of these votes, with the number of options and the maximum of votes per person. */
async function loadPolls(batch: Batch, votes: Vote[]): Promise<Map<string, ImportedPoll>> {
  const posts = [...new Set(votes.map(({ post }) => post))];
  const rows = await many(
    batch.tx,
    sql<{ id: string } & ImportedPoll>`
      select y.post_id as id, y.most, (select count(*)::int from poll_options o
        where o.post_id = y.post_id) as options
      from polls y where y.post_id = any(${posts}::uuid[])`,
  );
  return new Map([
    ...posts.flatMap((id) => {
      const poll = batch.checked.polls.get(id);
      return poll ? [[id, poll] as const] : [];
    }),
    ...rows.map(({ id, ...poll }) => [id, poll] as const),
  ]);
}

/**
 * Counts votes by poll and person. `own`: the person has voted here. `cast`: number of votes already
 * imported from this archive.
 */
async function countExistingVotes(
  { tx, run, checked }: Batch,
  votes: Vote[],
): Promise<Map<string, { own: boolean; cast: number }>> {
  const rows = await many(
    tx,
    sql<{ post: string; person: string; own: boolean; cast: number }>`
      select v.post_id as post, v.person_id as person, count(*)::int as cast,
        bool_or(not exists (select from imported_records i
          where i.kind = 'vote' and i.source = ${run.source} and i.local_id = v.post_id
          and i.other_id = v.person_id and i.part = v.position::text)) as own
      from poll_votes v
      where (v.post_id, v.person_id) in (select *
        from unnest(${votes.map(({ post }) => post)}::uuid[], ${votes.map(({ person }) => person)}::uuid[]))
      group by 1, 2`,
  );
  return new Map(
    rows.map(({ own, cast, ...tie }) => [
      voteKey(tie),
      { own, cast: cast + (checked.votes.get(voteKey(tie)) ?? 0) },
    ]),
  );
}
