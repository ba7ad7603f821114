import { addMilliseconds, DAY, HOUR } from "#platform/clock";
import { many, one, run, sql, type Tx } from "#platform/database";
import type { SignedIn } from "#community/rules";
import type { TestDatabase } from "../setup/test-database.ts";

/**
 * Adds what the demo's calendar lacks: further hosts, companions, check-ins, postponed and members-only events,
 * deadlines, and a date poll that was closed with an event. `members` is a members-only event of a public
 * group, `outside` a visible one.
 */
export async function addEventDetails({ db, inTransaction }: TestDatabase, me: SignedIn) {
  const [members, outside, third] = await many(
    db,
    sql<{ id: string; group: string }>`
      select e.id, e.group_id as "group" from calendar_events e join groups g on g.id = e.group_id
      where g.visibility = 'public' and e.series_id is null
        and e.cancelled_at is null order by e.title, e.id limit 3`,
  );
  await inTransaction(async (tx) => {
    await changeEvents(tx, me, { members: members!.id, other: third?.id ?? outside!.id });
    await run(
      tx,
      sql`insert into event_hosts (event_id, person_id, added_at)
          select e.id, m.person_id, ${tx.now} from calendar_events e
          join memberships m on m.group_id = e.group_id and m.state = 'member' and m.person_id <> e.host_id
          where e.id = ${members!.id} order by m.person_id limit 2`,
    );
    await run(
      tx,
      sql`update attendances set companions = 1, note = 'With cake', checked_in_at = ${tx.now},
            checked_in_by = ${me.id}
          where (occurrence_id, person_id) in (select occurrence_id, person_id from attendances
            where answer = 'going' order by occurrence_id, person_id limit 3)`,
    );
    await closePoll(tx, me);
  });
  return { members: members!.id, outside: outside!.id };
}

async function changeEvents(tx: Tx, me: SignedIn, it: { members: string; other: string }): Promise<void> {
  await run(
    tx,
    sql`update calendar_events set audience = 'members', online_url = 'https://call.example.org/garden',
          answers_until = ${addMilliseconds(tx.now, HOUR)}, changes = 2, changed_at = ${tx.now}
        where id = ${it.members}`,
  );
  await run(
    tx,
    sql`update calendar_events set postponed_at = ${tx.now}, postponed_by = ${me.id},
          postponed_reason = 'The hall is being painted.' where id = ${it.other}`,
  );
  await run(
    tx,
    sql`update event_series set answers_until = starts - interval '1 day', companions = 2, capacity = 12
        where id = (select id from event_series order by id limit 1)`,
  );
}

/** Closes a date poll with one of its times, of which an event was made. */
async function closePoll(tx: Tx, me: SignedIn): Promise<void> {
  const time = await one(
    tx,
    sql<{ id: string; poll: string; group: string }>`
      select t.id, t.poll_id as poll, y.group_id as "group" from date_poll_times t
      join date_polls y on y.id = t.poll_id order by t.id limit 1`,
  );
  const eventId = tx.newId();
  await run(
    tx,
    sql`with event as (
          insert into calendar_events (id, group_id, host_id, title, time_zone, all_day, ends_at, place,
            companions, created_at)
          values (${eventId}, ${time.group}, ${me.id}, 'The day that most could come', 'Europe/Berlin', true,
            ${addMilliseconds(tx.now, 2 * DAY)}, '', 0, ${tx.now})),
        occurrence as (
          insert into calendar_occurrences (id, event_id, starts_at, ends_at)
          values (${tx.newId()}, ${eventId}, ${addMilliseconds(tx.now, DAY)},
            ${addMilliseconds(tx.now, 2 * DAY)})),
        chosen as (update date_poll_times set event_id = ${eventId} where id = ${time.id})
        update date_polls set closed_at = ${tx.now}, closed_by = ${me.id},
          closes_at = ${addMilliseconds(tx.now, HOUR)} where id = ${time.poll}`,
  );
}
