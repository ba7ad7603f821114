import { maybeOne, run, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { announce } from "#platform/outbox";
import { notFound } from "#platform/refusal";
import { signedIn } from "#community/friends";
import { discussionReadable, groupModerated, viewersTie } from "#community/groups";
import type { SignedIn, Viewer } from "#community/rules";
import { discussionFor } from "./discussion.ts";
import type { FollowLevel } from "./rows.ts";

/** Remembers how far the viewer has read; it never goes back by this. `not-found` for what they may not read. */
export async function markRead(tx: Tx, viewer: Viewer, input: { discussionId: string; upTo: number }): Promise<void> {
  const me = signedIn(viewer);
  if (!isId(input.discussionId)) throw notFound();
  const row = await maybeOne(
    tx,
    sql<{ moved: boolean }>`
      with place as (
        select d.id, least(d.last_number, ${whole(input.upTo)}::int) as number
        from discussions d join groups g on g.id = d.group_id ${viewersTie(me)}
        where d.id = ${input.discussionId} and ${discussionReadable} and (d.state <> 'deleted' or ${groupModerated(me)})),
      moved as (
        insert into read_states (person_id, discussion_id, last_read_number, read_at) select ${me.id}, id, number, ${tx.now} from place
        on conflict (person_id, discussion_id) do update set last_read_number = excluded.last_read_number, read_at = excluded.read_at
        where read_states.last_read_number < excluded.last_read_number
        returning 1)
      select exists (select from moved) as moved from place`,
  );
  if (!row) throw notFound();
  if (row.moved) await announce(tx, { type: "discussion.read", discussionId: input.discussionId, by: me.id });
}

const whole = (number: number) => Math.min(2 ** 31 - 1, Math.max(0, Math.trunc(number) || 0));

/** Makes a post and what follows it new again. */
export async function markUnread(tx: Tx, viewer: Viewer, input: { discussionId: string; from: number }): Promise<void> {
  const me = signedIn(viewer);
  const discussion = await discussionFor(tx, me, input.discussionId);
  await remember(tx, me, discussion.id, sql`last_read_number = ${Math.max(0, whole(input.from) - 1)}`);
  await announce(tx, { type: "discussion.read", discussionId: discussion.id, by: me.id });
}

/** How closely the viewer follows a discussion. */
export async function setFollowLevel(tx: Tx, viewer: Viewer, input: { discussionId: string; level: FollowLevel }): Promise<void> {
  const me = signedIn(viewer);
  const discussion = await discussionFor(tx, me, input.discussionId);
  await remember(tx, me, discussion.id, sql`level = ${input.level}`);
  await announce(tx, { type: "discussion.followed", discussionId: discussion.id, by: me.id });
}

async function remember(tx: Tx, me: SignedIn, discussionId: string, change: ReturnType<typeof sql>) {
  await run(
    tx,
    sql`insert into read_states (person_id, discussion_id, read_at) values (${me.id}, ${discussionId}, ${tx.now}) on conflict do nothing`,
  );
  await run(tx, sql`update read_states set ${change} where person_id = ${me.id} and discussion_id = ${discussionId}`);
}
