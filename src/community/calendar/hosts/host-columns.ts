import { sql } from "#platform/database";
import { isAccountUnlisted, type PersonCard, personCard } from "#community/common";
import { blockerIds } from "#community/friends";
import { isGroupModerator } from "#community/groups";
import type { Viewer } from "#community/rules";

type Sql = ReturnType<typeof sql>;

/** Whether a person is a host of the event `event`: the first one, or one in `event_hosts`. */
export const isHostedBy = (event: string, personId: Sql) => {
  const e = sql.ref(event);
  return sql<boolean>`(coalesce(${e}.host_id = ${personId}, false) or exists (
    select from event_hosts eh where eh.event_id = ${e}.id and eh.person_id = ${personId}))`;
};

/** Whether the viewer is a host of the event. */
export const isEventHost = (viewer: Viewer, event: string) => isHostedBy(event, sql`${viewer.id}::uuid`);

/** Rows of `id, added_at` for all hosts of an event, the first host with null. */
export const hostRows = (event: string) => {
  const e = sql.ref(event);
  return sql`(select ${e}.host_id as id, null::timestamptz as added_at
    union all select eh.person_id, eh.added_at from event_hosts eh where eh.event_id = ${e}.id)`;
};

/** Whether a host is still in the group, or is staff. */
export const isPresentHost = (person: string, group: Sql) => {
  const p = sql.ref(person);
  return sql<boolean>`(not ${isAccountUnlisted(person)} and (${p}.site_role <> 'member' or exists (
    select from memberships hm where hm.group_id = ${group} and hm.person_id = ${p}.id and hm.state = 'member')))`;
};

/** Whether a host can act: suspended and limited accounts cannot. */
export const isActingHost = (person: string, group: Sql) =>
  sql<boolean>`(${sql.ref(`${person}.state`)} = 'active' and ${isPresentHost(person, group)})`;

/**
 * Hosts whom the viewer may know, in the order in which they were added. Hosts who left the group or the site
 * are not listed. `membership` is the viewer's.
 */
export const visibleHosts = (viewer: Viewer, event: string, membership: string) => sql<PersonCard[]>`(
  select coalesce(json_agg(${personCard("hp")} order by hr.added_at nulls first, hp.id), '[]')
  from ${hostRows(event)} hr join people hp on hp.id = hr.id
  where ${isPresentHost("hp", sql.ref(`${event}.group_id`))}
    and hp.id <> all(${blockerIds(viewer, isGroupModerator(membership))}))`;
