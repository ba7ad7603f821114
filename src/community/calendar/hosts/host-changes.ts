import { many, maybeOne, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { msg } from "#platform/messages";
import { invalid } from "#platform/refusal";
import { blockedEitherWayIds } from "#community/friends";
import { LIMITS, type SignedIn } from "#community/rules";
import type { CalendarEvent } from "../event-columns.ts";
import { hostRows, isActingHost, isPresentHost } from "./host-columns.ts";

/** Ids of people who become hosts, and of those who no longer are. */
export type HostChange = { added: string[]; removed: string[] };
/** Event that a domain event about hosts names; of a series the first date that it concerns. */
type Concerned = { eventId: string; seriesId: string | null; groupId: string };

/**
 * Ids of the named members, whom the viewer may make hosts.
 * @throws `invalid` on `hosts` for someone who is no member, or whom a block separates from the viewer
 */
export async function findHosts(tx: Tx, me: SignedIn, groupId: string, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const found = await many(
    tx,
    sql<{ id: string; username: string }>`
      select p.id, p.username from people p
      join memberships m on m.person_id = p.id and m.group_id = ${groupId} and m.state = 'member'
      where p.username = any(${names}::text[]) and p.state in ('active', 'limited')
        and p.id <> all(${blockedEitherWayIds(me)})`,
  );
  return names.map((name) => {
    const person = found.find(({ username }) => username === name);
    if (!person) throw invalid("hosts", msg("{name} is not a member of this group.", { name }));
    return person.id;
  });
}

/**
 * The change from the hosts that the viewer sees to the typed ones; null if both are the same. Hosts whom a
 * block hides from the viewer stay.
 * @throws like `findHosts`, and `invalid` on `hosts` for an empty list
 */
export async function planHostChange(
  tx: Tx,
  me: SignedIn,
  event: CalendarEvent,
  names: string[] | undefined,
): Promise<HostChange | null> {
  if (names === undefined) return null;
  if (names.length === 0) throw noHostRefusal();
  const kept = event.hosts.filter(({ username }) => names.includes(username));
  const added = await findHosts(
    tx,
    me,
    event.group.id,
    names.filter((name) => kept.every(({ username }) => username !== name)),
  );
  const removed = event.hosts.filter((host) => !kept.includes(host)).map(({ id }) => id);
  return added.length + removed.length === 0 ? null : { added, removed };
}

const noHostRefusal = () => invalid("hosts", "An event needs at least one host.");

/** Adds the further hosts of a new event, or of all dates of a new series, if they still are members. */
export async function insertHosts(
  tx: Tx,
  me: SignedIn,
  { eventId, seriesId, groupId }: Concerned,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await run(
    tx,
    sql`insert into event_hosts (event_id, person_id, added_at)
        select e.id, m.person_id, ${tx.now} from calendar_events e
        join memberships m on m.group_id = e.group_id and m.state = 'member'
          and m.person_id = any(${ids}::uuid[]) and m.person_id <> e.host_id
        where ${seriesId === null ? sql`e.id = ${eventId}` : sql`e.series_id = ${seriesId}`}
        on conflict do nothing`,
  );
  await emitHostChange(tx, me, { eventId, seriesId, groupId }, { added: ids, removed: [] });
}

/**
 * Changes the hosts of events, which the caller has locked. A first host who is removed is replaced by the
 * longest-serving of the others.
 * @throws `invalid` on `hosts` if an event would have too many hosts, or none who can act
 */
export async function changeHosts(
  tx: Tx,
  me: SignedIn,
  { eventIds, ...concerned }: Concerned & { eventIds: string[] },
  { added, removed }: HostChange,
): Promise<void> {
  await run(
    tx,
    sql`insert into event_hosts (event_id, person_id, added_at)
        select e.id, it.id, ${tx.now} from calendar_events e cross join unnest(${added}::uuid[]) it (id)
        where e.id = any(${eventIds}::uuid[]) and e.host_id <> it.id on conflict do nothing`,
  );
  await run(
    tx,
    sql`delete from event_hosts where event_id = any(${eventIds}::uuid[])
          and person_id = any(${removed}::uuid[])`,
  );
  await replaceFirstHosts(tx, eventIds, removed);
  const refused = await maybeOne(
    tx,
    sql<{ count: number }>`
      select h.count from calendar_events e cross join lateral (
        select count(*)::int as count, count(*) filter (where p.id <> all(${removed}::uuid[])
          and ${isActingHost("p", sql`e.group_id`)})::int as acting
        from ${hostRows("e")} hr join people p on p.id = hr.id) h
      where e.id = any(${eventIds}::uuid[])
        and (h.acting = 0 or (h.count > ${LIMITS.event.hosts}::int and ${added.length > 0}::boolean)) limit 1`,
  );
  if (refused && refused.count > LIMITS.event.hosts)
    throw invalid("hosts", msg("An event has at most {count, number} hosts.", { count: LIMITS.event.hosts }));
  if (refused) throw noHostRefusal();
  await emitHostChange(tx, me, concerned, { added, removed });
}

/** Gives events whose first host is removed, or has left the group, another first host; likewise their series. */
export async function replaceFirstHosts(tx: Tx, eventIds: string[], removed: string[]): Promise<void> {
  const replaced = await many(
    tx,
    sql<{ seriesId: string | null }>`
      with successor as (
        select distinct on (e.id) e.id, h.person_id from calendar_events e
        join people first on first.id = e.host_id
        join event_hosts h on h.event_id = e.id join people p on p.id = h.person_id
        where e.id = any(${eventIds}::uuid[])
          and (e.host_id = any(${removed}::uuid[]) or not ${isPresentHost("first", sql`e.group_id`)})
          and ${isActingHost("p", sql`e.group_id`)}
        order by e.id, h.added_at, h.person_id),
      moved as (
        delete from event_hosts h using successor s where h.event_id = s.id and h.person_id = s.person_id)
      update calendar_events e set host_id = s.person_id from successor s where e.id = s.id
      returning e.series_id as "seriesId"`,
  );
  const seriesIds = [...new Set(replaced.flatMap(({ seriesId }) => seriesId ?? []))];
  if (seriesIds.length > 0)
    await run(
      tx,
      sql`update event_series s set host_id = (select e.host_id from calendar_events e
            where e.series_id = s.id order by e.series_date desc limit 1)
          where s.id = any(${seriesIds}::uuid[])`,
    );
}

const emitHostChange = (
  tx: Tx,
  me: SignedIn,
  { seriesId, ...ids }: Concerned,
  { added, removed }: HostChange,
) =>
  emit(tx, {
    type: "calendar.hosts-changed",
    ...ids,
    ...(seriesId !== null && { seriesId }),
    addedIds: added.join(","),
    removedIds: removed.join(","),
    by: me.id,
  });
