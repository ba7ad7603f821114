import { type Database, many, run, sql, type Tx } from "#platform/database";
import { emit, type DomainEvent } from "#platform/outbox";
import { andIfGiven } from "#community/common";
import { replaceFirstHosts } from "./host-changes.ts";
import { hostRows, isActingHost, isHostedBy } from "./host-columns.ts";

/** Domain events after which a person may no longer host events. */
export const HOST_RELEASING_EVENTS = [
  "group.left",
  "group.removed",
  "group.banned",
  "person.left",
  "person.status-changed",
] as const;

/**
 * Removes a person who left a group or the site from the hosts of its coming events; another host becomes the
 * first one. The others are told once for each series: hosts, or the group's moderators where no host can act.
 * A suspended host stays on the list for the end of the suspension.
 */
export const releaseHosts = (
  database: Database,
  { type, by, personId, groupId, state }: DomainEvent,
): Promise<void> =>
  database.inTransaction(async (tx) => {
    if (type === "person.status-changed" && state !== "suspended") return;
    const host = String(type === "group.left" ? by : personId);
    const events = await lockHostedEvents(tx, host, groupId);
    const ids = events.filter(({ isPresent }) => !isPresent).map(({ id }) => id);
    await run(tx, sql`delete from event_hosts where person_id = ${host} and event_id = any(${ids}::uuid[])`);
    await replaceFirstHosts(tx, ids, [host]);
    for (const it of await listConcerned(
      tx,
      events.map(({ id }) => id),
    ))
      await emit(tx, { type: "calendar.host-left", ...it, personId: host, at: tx.now.toISOString() });
  });

/** Coming events of the host, locked in id order; not those of groups where they still can act. */
const lockHostedEvents = (tx: Tx, host: string, groupId: DomainEvent[string] | undefined) =>
  many(
    tx,
    sql<{ id: string; isPresent: boolean }>`
      select e.id, p.state = 'suspended' and exists (select from memberships m
          where m.group_id = e.group_id and m.person_id = p.id and m.state = 'member') as "isPresent"
      from calendar_events e join calendar_occurrences o on o.event_id = e.id
      join people p on p.id = ${host}::uuid
      where ${isHostedBy("e", sql`${host}::uuid`)} 
        ${andIfGiven(groupId, (id) => sql`e.group_id = ${id}::uuid`)}
        and e.cancelled_at is null and (o.ends_at > ${tx.now} or e.postponed_at is not null)
        and not ${isActingHost("p", sql`e.group_id`)}
      order by o.id for no key update of o`,
  );

/** The first event of each series among these, with whether it still has a host who can act. */
const listConcerned = (tx: Tx, ids: string[]) =>
  many(
    tx,
    sql<{ eventId: string; groupId: string; isHosted: boolean }>`
      select distinct on (coalesce(e.series_id, e.id)) e.id as "eventId", e.group_id as "groupId",
        exists (select from ${hostRows("e")} hr join people p on p.id = hr.id
          where ${isActingHost("p", sql`e.group_id`)}) as "isHosted"
      from calendar_events e where e.id = any(${ids}::uuid[])
      order by coalesce(e.series_id, e.id), e.ends_at`,
  );
