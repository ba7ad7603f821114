import { type Db, many, run, sql, type Tx } from "#platform/database";
import { readText } from "#platform/markup";
import { announce } from "#platform/outbox";
import { addressOf, keepUploadsIn, picturesIn } from "#community/common";
import { groupReadable } from "#community/groups";
import { blockedEitherWay } from "#community/people";
import { type ContentFacts, discussionRules, LIMITS, type SignedIn } from "#community/rules";
import { type Ground, happening } from "./ground.ts";
import { keepLinks } from "./link-cards.ts";
import { keepUses, resourcesIn } from "./uses.ts";

/** What is looked at before it is sent stands in no post yet: it may show all of its writer's pictures. */
export const PREVIEW = "preview";

type Called = { name: string; personId: string | null; groupId: string | null };
/** Whether this very post has called them before, and how many it has in all. */
type Found = Called & { before: boolean; soFar: number };
/** A text ready to be stored: its HTML, whom it calls, the names that stayed plain because nobody by them can see it, the pictures it shows, links that stand alone, and how many lead out of the house, which of these stand in quotes, and the resources that it points to. */
export type CalledText = {
  html: string;
  called: Called[];
  plain: string[];
  pictures: string[];
  links: string[];
  linksOut: number;
  quotedLinks: string[];
  resources: string[];
};

/** Who reads what is written: those who read the group, or its members alone; everybody, where there is none. */
export type Readers = { groupId: string | null; audience: ContentFacts["audience"] };

/** Names that are looked up for one text; more of them stay plain unread. */
const LOOKED_UP = 100;

/**
 * Reads what `me` writes for these readers, as the post `postId`, and finds whom it calls: people and groups that
 * `discussionRules.mentionPerson` and `mentionGroup` admit, as many as `mostMentions`. All other names stay plain text,
 * and are told apart by nothing: who cannot see it, who is parted by a block, and who does not exist. A name in a quote leads to
 * whom it names, and calls nobody: whoever said that has done so.
 */
export async function calledIn(db: Db, me: SignedIn, readers: Readers, body: string, postId: string): Promise<CalledText> {
  const text = readText(body, postId);
  const names = text.names.slice(0, LOOKED_UP);
  const named = [...names, ...text.quotedNames].slice(0, LOOKED_UP);
  const found = named.length === 0 ? [] : await many(db, whoIs(me, readers, named, postId === PREVIEW ? null : postId));
  const known = new Map(found.map((it) => [it.name, it]));
  const called = within(
    discussionRules.mostMentions(me),
    names.flatMap((name) => known.get(name) ?? []),
  );
  const quoted = found.filter(({ name }) => text.quotedNames.includes(name));
  const addresses = [...called, ...quoted].map(
    (it) => [it.name, it.personId ? addressOf.person(it.personId) : addressOf.group(it.groupId!)] as const,
  );
  const links = new Map(addresses);
  const pictures = await picturesIn(db, me, { kind: "post", id: postId === PREVIEW ? null : postId }, text.pictures);
  const shown = [...pictures.values()].map((it) => it.id);
  const html = text.html({ links, pictures });
  return {
    html,
    resources: resourcesIn(html),
    called,
    pictures: shown,
    links: text.loneLinks,
    linksOut: text.linksOut,
    quotedLinks: text.quotedLinks,
    plain: names.filter((name) => !links.has(name)).slice(0, LIMITS.mentions.post),
  };
}

/** As many as one post may call, whoever of them it has called before counted: else every change of it would call others. */
function within(most: number, found: Found[]): Called[] {
  let room = most - (found[0]?.soFar ?? 0);
  return found.filter(({ before }) => before || room-- > 0).slice(0, most);
}

// `m` is the tie of the person who is called, `own` that of who calls. A person's name comes before a group's.
const whoIs = (me: SignedIn, readers: Readers, names: string[], postId: string | null) => sql<Found>`
  select distinct on (name) name, "personId", "groupId",
    exists (select from post_mentions c where c.post_id = ${postId}::uuid and (c.person_id = "personId" or c.group_id = "groupId")) as before,
    (select count(*)::int from post_mentions c where c.post_id = ${postId}::uuid) as "soFar"
  from (
    select p.username as name, p.id as "personId", null::uuid as "groupId"
    from people p ${inGroup(readers.groupId)}
    where p.username = any(${names}::text[]) and ${mentionable(me, readers)}
    union all
    select g.slug, null, g.id
    from groups g join memberships own on own.group_id = g.id and own.person_id = ${me.id} and own.state = 'member'
    where g.slug = any(${names}::text[]) and ${groupMentionable(readers.groupId)}) it
  order by name, "personId" nulls last`;

/** Joins what the group is to each person `p`; nothing where everybody reads. */
export const inGroup = (groupId: string | null) =>
  groupId === null ? sql`` : sql`join groups g on g.id = ${groupId} left join memberships m on m.group_id = g.id and m.person_id = p.id`;

/** The twin of `discussionRules.mentionPerson`, for the person `p` whose tie to the group `g`, if there is one, is `m`. */
export const mentionable = (me: SignedIn, { groupId, audience }: Readers) =>
  sql<boolean>`(p.state in ('active', 'limited') and ${groupId === null ? sql`true` : groupReadable}
    and ${groupId === null || audience === "group" ? sql`true` : sql`coalesce(m.state = 'member', false)`} and not ${blockedEitherWay(me)})`;

/** The twin of `discussionRules.mentionGroup`, for a group `g` that the viewer is a member of. */
export const groupMentionable = (here: string | null) =>
  sql<boolean>`(g.state = 'active' and g.members_count <= ${LIMITS.mentions.group} and (g.id = ${here}::uuid or g.visibility <> 'secret'))`;

type At = { postId: string } & Ground["at"];

/** Stores what a text brings along, in place of what it brought before: its pictures, and whom it calls. */
export async function keepCalled(tx: Tx, me: SignedIn, at: At, { called, pictures, links, resources }: CalledText): Promise<void> {
  await keepUses(tx, me, at.postId, resources);
  await keepLinks(tx, at.postId, links);
  await keepUploadsIn(tx, me, { kind: "post", id: at.postId }, pictures);
  await keepMentions(tx, me, at, called);
}

/** Tells of those whom the post does not call yet. Nobody calls themselves. Whom it calls no more is kept in mind: they count. */
async function keepMentions(tx: Tx, me: SignedIn, at: At, called: Called[]): Promise<void> {
  const people = called.flatMap(({ personId }) => (personId && personId !== me.id ? [personId] : []));
  const groups = called.flatMap(({ groupId }) => groupId ?? []);
  const among = sql`(person_id = any(${people}::uuid[]) or group_id = any(${groups}::uuid[])) is true`;
  await run(tx, sql`update post_mentions set dropped_at = ${tx.now} where post_id = ${at.postId} and dropped_at is null and not ${among}`);
  const added = await many(
    tx,
    sql<{ personId: string | null; groupId: string | null }>`
      with again as (
        update post_mentions set dropped_at = null where post_id = ${at.postId} and dropped_at is not null and ${among} returning person_id, group_id),
      anew as (
        insert into post_mentions (post_id, person_id, group_id, created_at)
        select ${at.postId}::uuid, person_id, null::uuid, ${tx.now}::timestamptz from unnest(${people}::uuid[]) person_id
        union all select ${at.postId}::uuid, null, group_id, ${tx.now}::timestamptz from unnest(${groups}::uuid[]) group_id
        on conflict do nothing returning person_id, group_id)
      select person_id as "personId", group_id as "groupId" from again union all select person_id, group_id from anew`,
  );
  for (const { personId, groupId } of added)
    await announce(tx, { type: happening({ at }, "mentioned"), ...at, mentionedPerson: personId, mentionedGroup: groupId, by: me.id });
}
