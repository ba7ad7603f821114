import { type Db, many, run, sql, type Tx } from "#platform/database";
import { parseText } from "#platform/markup";
import { emit } from "#platform/outbox";
import { paths, attachUploads, findPictures } from "#community/common";
import { isGroupReadable } from "#community/groups";
import { blockedEitherWay } from "#community/accounts";
import { type ContentFacts, discussionRules, LIMITS, type SignedIn } from "#community/rules";
import { type PostContainer, postEventType } from "./post-container.ts";
import { storeLinks } from "./link-previews.ts";
import { storeResourceUses, findResourceIds } from "./resource-uses.ts";

/** Id used for a preview. A preview belongs to no post, and may show all pictures of its author. */
export const PREVIEW_ID = "preview";

type Mention = { name: string; personId: string | null; groupId: string | null };
/**
 * A mention found in a text: `before` is true if the post has mentioned this person or group before; `soFar`
 * is the number of mentions in the post so far.
 */
type FoundMention = Mention & { before: boolean; soFar: number };
/**
 * A text that is ready to be stored: HTML, mentions, unresolved mentions, pictures, standalone links, number
 * of external links, external links in quotes, and linked resources.
 */
export type RenderedText = {
  html: string;
  called: Mention[];
  plain: string[];
  pictures: string[];
  links: string[];
  linksOut: number;
  quotedLinks: string[];
  resources: string[];
};

/** Readers of a text: people who can read the group, or only its members; everyone if there is no group. */
export type Readers = { groupId: string | null; audience: ContentFacts["audience"] };

/** Maximum number of names looked up in one text. Further names stay unresolved. */
const MAX_LOOKED_UP = 100;

/**
 * Renders the text of post `postId`, written by `me`, for these readers, and resolves its mentions within
 * the limits of `discussionRules` (`mentionPerson`, `mentionGroup`, `mostMentions`). Other names remain
 * plain text: invisible, blocked and unknown people look alike. A mention in a quote is linked but notifies
 * no one.
 */
export async function renderWithMentions(
  db: Db,
  me: SignedIn,
  readers: Readers,
  body: string,
  postId: string,
): Promise<RenderedText> {
  const text = parseText(body, postId);
  const names = text.names.slice(0, MAX_LOOKED_UP);
  const named = [...names, ...text.quotedNames].slice(0, MAX_LOOKED_UP);
  const found =
    named.length === 0
      ? []
      : await many(db, findMentioned(me, readers, named, postId === PREVIEW_ID ? null : postId));
  const known = new Map(found.map((it) => [it.name, it]));
  const called = takeWithinLimit(
    discussionRules.mostMentions(me),
    names.flatMap((name) => known.get(name) ?? []),
  );
  const quoted = found.filter(({ name }) => text.quotedNames.includes(name));
  const addresses = [...called, ...quoted].map(
    (it) => [it.name, it.personId ? paths.person(it.personId) : paths.group(it.groupId!)] as const,
  );
  const links = new Map(addresses);
  const pictures = await findPictures(
    db,
    me,
    { kind: "post", id: postId === PREVIEW_ID ? null : postId },
    text.pictures,
  );
  const shown = [...pictures.values()].map((it) => it.id);
  const html = text.html({ links, pictures });
  return {
    html,
    resources: findResourceIds(html),
    called,
    pictures: shown,
    links: text.loneLinks,
    linksOut: text.linksOut,
    quotedLinks: text.quotedLinks,
    plain: names.filter((name) => !links.has(name)).slice(0, LIMITS.mentions.post),
  };
}

/**
 * Limits mentions per post. Mentions in earlier versions count too; otherwise each edit could mention other
 * people.
 */
function takeWithinLimit(most: number, found: FoundMention[]): Mention[] {
  let room = most - (found[0]?.soFar ?? 0);
  return found.filter(({ before }) => before || room-- > 0).slice(0, most);
}

// `m` is the membership of the mentioned person, `own` the author's membership. A person's name takes
// precedence over a group's name.
const findMentioned = (
  me: SignedIn,
  readers: Readers,
  names: string[],
  postId: string | null,
) => sql<FoundMention>`
  select distinct on (name) name, "personId", "groupId",
    exists (select from post_mentions c
      where c.post_id = ${postId}::uuid and (c.person_id = "personId" or c.group_id = "groupId")) as before,
    (select count(*)::int from post_mentions c where c.post_id = ${postId}::uuid) as "soFar"
  from (
    select p.username as name, p.id as "personId", null::uuid as "groupId"
    from people p ${joinMentionGroup(readers.groupId, "p", "g", "m")}
    where p.username = any(${names}::text[]) and ${isMentionable(me, readers, "p", "g", "m")}
    union all
    select g.slug, null, g.id
    from groups g join memberships own on own.group_id = g.id and own.person_id = ${me.id}
      and own.state = 'member'
    where g.slug = any(${names}::text[]) and ${isGroupMentionable(readers.groupId, "g")}) it
  order by name, "personId" nulls last`;

/** Joins the group and the membership of each person `p`; nothing if there is no group. */
export const joinMentionGroup = (
  groupId: string | null,
  person: string,
  group: string,
  membership: string,
) => {
  const [p, g, m] = [sql.ref(person), sql.ref(group), sql.ref(membership)];
  return groupId === null
    ? sql``
    : sql`join groups ${g} on ${g}.id = ${groupId} left
      join memberships ${m} on ${m}.group_id = ${g}.id and ${m}.person_id = ${p}.id`;
};

/**
 * SQL equivalent of `discussionRules.mentionPerson`, for the person `p` with the membership `m` in the group
 * `g`, if there is a group.
 */
export const isMentionable = (
  me: SignedIn,
  { groupId, audience }: Readers,
  person: string,
  group: string,
  membership: string,
) => {
  const [p, m] = [sql.ref(person), sql.ref(membership)];
  return sql<boolean>`(${p}.state in ('active', 'limited')
    and ${groupId === null ? sql`true` : isGroupReadable(group, membership)}
    and ${groupId === null || audience === "group" ? sql`true` : sql`coalesce(${m}.state = 'member', false)`}
    and not ${blockedEitherWay(me, person)})`;
};

/** SQL equivalent of `discussionRules.mentionGroup`, for a group `g` of which the viewer is a member. */
export const isGroupMentionable = (here: string | null, group: string) => {
  const g = sql.ref(group);
  return sql<boolean>`(${g}.state = 'active' and ${g}.members_count <= ${LIMITS.mentions.group}
    and (${g}.id = ${here}::uuid or ${g}.visibility <> 'secret'))`;
};

type PostLocation = { postId: string } & PostContainer["at"];

/** Whether a text has references. Most texts have no references and need no further statement. */
export const hasReferences = ({ called, pictures, links, resources }: RenderedText) =>
  called.length + pictures.length + links.length + resources.length > 0;

/** Replaces the pictures, mentions and resource links stored for a text. */
export async function storeTextReferences(
  tx: Tx,
  me: SignedIn,
  at: PostLocation,
  { called, pictures, links, resources }: RenderedText,
): Promise<void> {
  await storeResourceUses(tx, me, at.postId, resources);
  await storeLinks(tx, at.postId, links);
  await attachUploads(tx, me, { kind: "post", id: at.postId }, pictures);
  await storeMentions(tx, me, at, called);
}

/**
 * Stores mentions and emits the new ones, except mentions of the author. Former mentions stay stored,
 * because they count toward the limit.
 */
async function storeMentions(tx: Tx, me: SignedIn, at: PostLocation, called: Mention[]): Promise<void> {
  const people = called.flatMap(({ personId }) => (personId && personId !== me.id ? [personId] : []));
  const groups = called.flatMap(({ groupId }) => groupId ?? []);
  const among = sql`(person_id = any(${people}::uuid[]) or group_id = any(${groups}::uuid[])) is true`;
  await run(
    tx,
    sql`update post_mentions set dropped_at = ${tx.now}
      where post_id = ${at.postId} and dropped_at is null and not ${among}`,
  );
  const added = await many(
    tx,
    sql<{ personId: string | null; groupId: string | null }>`
      with again as (
        update post_mentions set dropped_at = null
        where post_id = ${at.postId} and dropped_at is not null and ${among} returning person_id, group_id),
      anew as (
        insert into post_mentions (post_id, person_id, group_id, created_at)
        select ${at.postId}::uuid, person_id, null::uuid, ${tx.now}::timestamptz
        from unnest(${people}::uuid[]) person_id
        union all select ${at.postId}::uuid, null, group_id, ${tx.now}::timestamptz
        from unnest(${groups}::uuid[]) group_id
        on conflict do nothing returning person_id, group_id)
      select person_id as "personId", group_id as "groupId" from again union all select person_id, group_id
      from anew`,
  );
  for (const { personId, groupId } of added)
    await emit(tx, {
      type: postEventType({ at }, "mentioned"),
      ...at,
      mentionedPerson: personId,
      mentionedGroup: groupId,
      by: me.id,
    });
}
