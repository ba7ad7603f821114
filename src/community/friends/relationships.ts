import { type Db, many, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound } from "#platform/refusal";
import { isStaff, personRules, privacyDefaults, type RelationshipFacts, type Viewer } from "#community/rules";
import { isMuting } from "./mute-conditions.ts";
import { friendIds } from "./block-visibility.ts";

export type Relationship = RelationshipFacts & {
  username: string;
  name: string;
  friendship: "pending" | "friends" | "declined" | null;
  requestedByViewer: boolean;
  looksCancelled: boolean;
  viewerMutes: boolean;
  secondsAgo: number;
};

/** Relationships of the viewer to these people; unknown people are left out. */
export const listRelationships = (
  db: Db,
  viewer: Viewer,
  people: { ids: string[] } | { usernames: string[] },
): Promise<Relationship[]> =>
  many(
    db,
    sql<Relationship>`
      select p.id, p.username, p.display_name as name, p.state,
        coalesce(p.privacy->>'friendRequests', ${privacyDefaults.friendRequests}) as "friendRequests",
        coalesce(p.privacy->>'messages', ${privacyDefaults.messages}) as messages,
        exists (select from blocks
          where blocker_id = p.id and blocked_id = ${viewer.id}::uuid) as "blocksViewer",
        exists (select from blocks
          where blocker_id = ${viewer.id}::uuid and blocked_id = p.id) as "viewerBlocks",
        ${isMuting(sql`${viewer.id}::uuid`, sql`p.id`)} as "viewerMutes", f.state as friendship,
        coalesce(f.state = 'friends', false) as "isFriend",
        coalesce(f.requested_by = ${viewer.id}::uuid, false) as "requestedByViewer",
        coalesce(extract(epoch from now() - f.changed_at), 0)::float8 as "secondsAgo",
        coalesce(f.cancelled, false) as "looksCancelled",
        exists (${sharedGroups(viewer)}) as "sharesGroup",
        exists (${sharedGroups(viewer)} and theirs.role <> 'member') as "leadsViewer",
        exists (select from memberships mine
          join memberships theirs on theirs.group_id = mine.group_id and theirs.state = 'requested'
            and theirs.person_id = p.id
          where mine.person_id = ${viewer.id}::uuid and mine.state = 'member'
            and mine.role <> 'member') as "asksViewer",
        exists (select from (${friendIds(sql`${viewer.id}::uuid`)}) mine
          join (${friendIds(sql`p.id`)}) theirs using (id)) as "hasMutualFriend"
      from people p
      left join friendships f on f.low_id = least(p.id, ${viewer.id}::uuid)
        and f.high_id = greatest(p.id, ${viewer.id}::uuid)
      where ${
        "ids" in people
          ? sql`p.id = any(${people.ids.filter(isId)}::uuid[])`
          : sql`p.username
        = any(${people.usernames}::text[])`
      }`,
  );

const sharedGroups = (viewer: Viewer) => sql`
  select from memberships mine
  join memberships theirs on theirs.group_id = mine.group_id and theirs.state = 'member'
    and theirs.person_id = p.id
  where mine.person_id = ${viewer.id}::uuid and mine.state = 'member'`;

/**
 * Relationship of the viewer to a person.
 * @throws `not-found` for a person who is unknown or whom the viewer may not see
 */
export async function getRelationship(db: Db, viewer: Viewer, personId: string): Promise<Relationship> {
  const [relationship] = await listRelationships(db, viewer, { ids: [personId] });
  if (!relationship || !canSeePerson(viewer, relationship)) throw notFound();
  return relationship;
}

export const canSeePerson = (viewer: Viewer, relationship: Relationship) =>
  personRules.see(viewer, { ...relationship, profile: "members" }) &&
  (isStaff(viewer) || !relationship.blocksViewer);
