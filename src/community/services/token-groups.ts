import { many, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { isObject } from "#platform/objects";
import { notFound, Refusal } from "#platform/refusal";
import { tokenRules, type Viewer } from "#community/rules";

type Sql = ReturnType<typeof sql>;

/** Groups to which the records named in an input belong, by the name of the field. */
const GROUP_OF: Record<string, (id: string) => Sql> = {
  groupId: (id) => sql`select ${id}::uuid as "groupId"`,
  discussionId: groupOfDiscussion,
  into: groupOfDiscussion,
  postId: groupOfPost,
  postIds: groupOfPost,
  replyTo: groupOfPost,
  resourceId: (id) => sql`select group_id as "groupId" from resources where id = ${id}`,
  collectionId: (id) => sql`select group_id as "groupId" from collections where id = ${id}`,
  eventId: (id) => sql`select group_id as "groupId" from calendar_events where id = ${id}`,
  datePollId: (id) => sql`select group_id as "groupId" from date_polls where id = ${id}`,
  timeId: (id) =>
    sql`select dp.group_id as "groupId" from date_poll_times t join date_polls dp on dp.id = t.poll_id
      where t.id = ${id}`,
  occurrenceId: (id) =>
    sql`select e.group_id as "groupId" from calendar_occurrences o join calendar_events e on e.id = o.event_id
      where o.id = ${id}`,
};

function groupOfDiscussion(id: string): Sql {
  return sql`select group_id as "groupId" from discussions where id = ${id}`;
}

function groupOfPost(id: string): Sql {
  return sql`select coalesce(d.group_id, r.group_id) as "groupId" from posts p
    left join discussions d on d.id = p.discussion_id left join resources r on r.id = p.resource_id
    where p.id = ${id}`;
}

/**
 * Checks that all records named in an input belong to the groups that the viewer's token is limited to.
 * `isWhole`: nothing but the input tells what is written, so it must name at least one record.
 * @throws `not-found` for records of other groups, `not-allowed` for an input that names none
 */
export async function assertTokenGroups(
  tx: Tx,
  viewer: Viewer,
  input: unknown,
  { isWhole }: { isWhole: boolean },
): Promise<void> {
  if (viewer.groupIds === undefined) return;
  const queries = Object.entries(isObject(input) ? input : {}).flatMap(([name, value]) => {
    const groupOf = Object.hasOwn(GROUP_OF, name) ? GROUP_OF[name]! : null;
    if (!groupOf || value === undefined || value === null || value === "") return [];
    return [value].flat().map((id) => {
      if (typeof id !== "string" || !isId(id)) throw notFound();
      return groupOf(id);
    });
  });
  if (queries.length === 0 && isWhole)
    throw new Refusal(
      "not-allowed",
      "This access token is limited to certain groups and gives no access to this.",
    );
  for (const query of queries) {
    const [found] = await many(tx, sql<{ groupId: string | null }>`${query}`);
    if (!found || !tokenRules.reachesGroup(viewer, found.groupId)) throw notFound();
  }
}
