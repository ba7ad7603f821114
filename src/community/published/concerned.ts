import { type Db, many, sql } from "#platform/database";
import type { Happening } from "#platform/outbox";
import { discussionReadable } from "#community/groups";
import { privacyDefaults } from "#community/rules";

/** Who acts has other figures afterwards. */
const OWN =
  /^(discussion\.(read|followed)|conversation\.|friend\.|person\.(blocked|muted|unmuted)|group\.(joined|left|request_withdrawn|invitation_refused))/;
/** So has whom it is about; but nobody is told of a no, nor of an end: a block looks like a request that was taken back. */
const OTHERS =
  /^(conversation\.removed|friend\.(requested|accepted|cancelled)|person\.blocked|group\.(invited|admitted|declined|removed|banned|role_changed)|notification\..*)$/;

/** Somebody whose figures may have changed; `news`: somebody else wrote where they want to hear of it, so that their lists have as well. */
export type Concerned = { id: string; news: boolean };

/** Of the people who are here, those whose figures (unread, requests, invitations) a happening may have changed. */
export async function concernedBy(db: Db, happening: Happening, here: string[]): Promise<Concerned[]> {
  const { type, personId, by } = happening;
  const named = [OTHERS.test(type) ? personId : null, OWN.test(type) ? by : null];
  const others = membersConcerned(happening);
  const found =
    others && here.length > 0 ? await many(db, sql<{ id: string; news?: boolean }>`${others} and person_id = any(${here}::uuid[])`) : [];
  const news = new Map<unknown, boolean>([
    ...named.map((id) => [id, false] as const),
    ...found.map((it) => [it.id, it.news ?? false] as const),
  ]);
  return here.filter((id) => news.has(id)).map((id) => ({ id, news: news.get(id)! }));
}

/** Whether the member `m` of a group wants to hear of what `by` wrote there: the twin of what their lists of unread discussions leave out. */
const listens = ({ discussionId, by }: Happening) => sql<boolean>`(m.notify_level <> 'mute'
  and not exists (select from read_states rs where rs.person_id = m.person_id and rs.discussion_id = ${discussionId}::uuid and rs.level = 'muted')
  and not ${blocked("m.person_id", by)})`;

const blocked = (who: string, by: Happening[string] | undefined) =>
  sql<boolean>`exists (select from blocks b where b.blocker_id = ${sql.ref(who)} and b.blocked_id = ${by}::uuid)`;

/** A statement up to its last condition: those inside, beside the one who acts. */
function membersConcerned(happening: Happening) {
  const { type, groupId, fromGroupId = groupId, discussionId, conversationId, objectId, by } = happening;
  if (type === "discussion.started")
    return sql`select person_id as id, ${listens(happening)} as news from memberships m where group_id = ${groupId}::uuid and state = 'member' and person_id is distinct from ${by}::uuid`;
  if (type === "post.written")
    return sql`select person_id as id, news from (
      select person_id, bool_or(news) as news from (
        select person_id, ${listens(happening)} as news from memberships m where group_id = ${groupId}::uuid and state = 'member'
        union all select person_id, not ${blocked("rs.person_id", by)} from (${followersOf(discussionId)}) rs) each_way group by person_id
      ) told where person_id is distinct from ${by}::uuid`;
  // What counted is out of the lists, or there again: the figures of all follow, also of those who read it elsewhere by now.
  if (/^discussion\.(archived|unarchived|deleted|restored|moved|merged|split-off)$/.test(type))
    return sql`select person_id as id from (
      select person_id from memberships where group_id in (${groupId}::uuid, ${fromGroupId}::uuid) and state = 'member'
      union ${followersOf(discussionId)}) told where true`;
  // Also of what one of them has answered: the others have it on their list.
  if (/^group\.(requested|request_withdrawn|admitted|declined)$/.test(type))
    return sql`select person_id as id from memberships where group_id = ${groupId}::uuid and state = 'member' and role <> 'member'`;
  if (/^notifications?\.made$/.test(type))
    return sql`select distinct person_id as id from notifications where object_id = ${objectId}::uuid and read_at is null and withdrawn_at is null`;
  if (type === "conversation.read") return whoSeesReading(conversationId, by);
  // How the latest words read, who is in it, what it is called: for all who have it in their list.
  if (/^(message\.(written|edited|deleted)|conversation\.(joined|removed|renamed|accepted))$/.test(type))
    return sql`select person_id as id from participants where conversation_id = ${conversationId}::uuid and state in ('accepted', 'request')`;
  return null;
}

/** Who has chosen to follow a discussion that everybody reads, and so has it in their list wherever they are a member. */
const followersOf = (discussionId: Happening[string] | undefined) => sql`
  select rs.person_id from read_states rs
  join discussions d on d.id = rs.discussion_id join groups g on g.id = d.group_id
  left join memberships m on m.group_id = g.id and m.person_id = rs.person_id
  where rs.discussion_id = ${discussionId}::uuid and rs.level in ('watching', 'tracking') and rs.level_chosen and ${discussionReadable}`;

/** That somebody has read is for those who let the same be seen, once both have accepted and no block parts them. */
const whoSeesReading = (conversationId: Happening[string] | undefined, by: Happening[string] | undefined) => sql`
  select person_id as id from (
    select o.person_id from participants o join people p on p.id = o.person_id
    join participants reader on reader.conversation_id = o.conversation_id and reader.person_id = ${by}::uuid and reader.state = 'accepted'
    join people self on self.id = reader.person_id
    where o.conversation_id = ${conversationId}::uuid and o.state = 'accepted' and ${showsReading("p")} and ${showsReading("self")}
      and not exists (select from blocks b where (b.blocker_id = p.id and b.blocked_id = self.id) or (b.blocker_id = self.id and b.blocked_id = p.id))) told
  where true`;

const showsReading = (alias: string) => sql`coalesce((${sql.ref(alias)}.privacy->>'showReading')::boolean, ${privacyDefaults.showReading})`;
