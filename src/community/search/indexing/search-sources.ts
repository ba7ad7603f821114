import { type Db, many, one, sql } from "#platform/database";
import { createMailExcerpt } from "#platform/markup";
import { privacyDefaults } from "#community/rules";
import type { Index } from "../search-engine.ts";

/** The content of a document as read from its own tables, before tokenizing. */
export type SearchSource = {
  id: string;
  kind: string;
  groupId: string | null;
  authorId: string | null;
  placeId: string | null;
  /**
   * Time of posting. It decides whether new members can find the document in a group that hides earlier
   * content.
   */
  saidAt: Date;
  number: number | null;
  title: string;
  names: string;
  tags: string[];
  body: string;
  language: string;
  /** The language was set explicitly and is not detected. */
  languageKnown?: boolean;
  is: string[];
  has: string[];
  /** Everyone who may see the group may also read the document. */
  open: boolean;
  likes: number;
  comments: number;
  members: number;
  createdAt: Date;
  updatedAt: Date;
  /** Times of an event. */
  startsAt?: Date;
  endsAt?: Date;
};
type Sql = ReturnType<typeof sql>;

/** Maximum characters of a document that are searched: as many as a file of several hundred pages has. */
export const MAX_INDEXED_CHARACTERS = 1_000_000;

/** Loads the current state of these rows, without rows that nobody may find. */
export async function loadSearchSources(
  db: Db,
  index: Index,
  ids: readonly string[],
): Promise<SearchSource[]> {
  if (ids.length === 0) return [];
  const rows = await many(db, await SELECTS[index](db, [...ids]));
  return rows.map(({ html, ...row }) => ({
    ...row,
    has: row.has.filter((it): it is string => it !== null),
    is: row.is.filter((it): it is string => it !== null),
    body: [row.body, html === "" ? "" : createMailExcerpt(html, MAX_INDEXED_CHARACTERS)]
      .filter(Boolean)
      .join("\n")
      .slice(0, MAX_INDEXED_CHARACTERS)
      .toWellFormed(),
  }));
}

type Row = SearchSource & { html: string; has: (string | null)[]; is: (string | null)[] };

/**
 * Whether the group is public. Documents of a deleted group stay indexed, because it may be restored; until
 * then nobody can read them.
 */
export const isPublicGroup = (group: string) => {
  const g = sql.ref(group);
  return sql`(${g}.state not in ('pending', 'deleted') and ${g}.visibility = 'public')`;
};
const isOpen = (x: string) => sql`(${isPublicGroup("g")} and ${sql.ref(x)}.audience = 'group')`;

/** Kinds of content in a text, detected by the HTML that our renderer creates. */
const contentKinds = (html: Sql, more = sql``) => sql`array[
  case when ${html} like '%<img %' then 'image' end, case when ${html} like '%<a href="http%' then 'link' end,
  case when ${html} like '%<pre%' then 'code' end ${more}]`;

const noContainer = sql`null::uuid as "groupId", null::uuid as "placeId", null::int as number`;

/**
 * Whether the profile text is searched: only if all members can see it. Other profiles are found by name
 * only.
 */
const bioVisible = sql`(coalesce(p.privacy->>'profile', ${privacyDefaults.profile}) in ('everyone', 'members')
  and coalesce(p.privacy->>'bio', ${privacyDefaults.bio}) in ('everyone', 'members'))`;

const people = async (_db: Db, ids: string[]) => sql<Row>`
  select p.id, p.site_role as kind, p.id as "authorId", ${noContainer}, p.created_at as "saidAt",
    p.display_name as title, p.username as names, '{}'::text[] as tags,
    '' as body, case when ${bioVisible} then p.bio_html else ''
      end as html, p.locale as language, array[]::text[] as is, array[]::text[] as has, false as open,
    0 as likes, 0 as comments, 0 as members, p.created_at as "createdAt",
    coalesce(p.updated_at, p.created_at) as "updatedAt"
  from people p where p.id = any(${ids}::uuid[]) and p.state in ('active', 'limited')`;

const groups = async (_db: Db, ids: string[]) => sql<Row>`
  select g.id, g.visibility as kind, g.id as "groupId", null::uuid as "authorId", null::uuid as "placeId",
    null::int as number,
    g.created_at as "saidAt", g.name as title, g.slug as names, case when g.topic = '' then '{}'::text[]
      else array[lower(g.topic)] end as tags,
    g.purpose as body, '' as html, 'en' as language,
    array[case when g.state = 'archived' then 'archived' end] as is, array[]::text[] as has,
    ${isPublicGroup("g")} as open, 0 as likes, 0 as comments, g.members_count as members,
    g.created_at as "createdAt", g.last_active_at as "updatedAt"
  from groups g where g.id = any(${ids}::uuid[]) and g.state <> 'deleted'`;

const discussions = async (_db: Db, ids: string[]) => sql<Row>`
  select d.id, '' as kind, d.group_id as "groupId", d.author_id as "authorId", d.id as "placeId",
    d.last_post_at as "saidAt", null::int as number,
    d.title, '' as names, d.tags, '' as body, '' as html, d.language, d.language_known as "languageKnown",
    array[case when d.resolved_at is not null then 'resolved' end, case
      when d.locked_at is not null then 'locked' end,
      case when d.pinned_at is not null then 'pinned' end, case when d.state = 'archived' then 'archived'
        end] as is,
    array[case when exists (select from posts q join polls on polls.post_id = q.id
      where q.discussion_id = d.id) then 'poll' end] as has,
    ${isOpen("d")} as open, (select count(*)::int from reactions r join posts q on q.id = r.post_id
      where q.discussion_id = d.id and q.number = 1) as likes,
    greatest(d.posts_count - 1, 0) as comments, 0 as members, d.created_at as "createdAt",
    d.last_post_at as "updatedAt"
  from discussions d join groups g on g.id = d.group_id
  where d.id = any(${ids}::uuid[]) and d.state in ('open', 'archived')`;

const pollText = sql`(select string_agg(o.text, E'\n' order by o.position) from poll_options o
  where o.post_id = p.id)`;

/**
 * Posts as sources. The first post of a discussion includes its title, so that a query with words of both
 * matches one document.
 */
const posts = async (_db: Db, ids: string[]) => sql<Row>`
  select p.id, case when p.resource_id is null then 'post' else 'comment'
    end as kind, coalesce(d.group_id, r.group_id) as "groupId", p.author_id as "authorId",
    coalesce(p.discussion_id, p.resource_id) as "placeId",
    case when r.id is null then p.created_at else r.created_at end as "saidAt", p.number, case
      when p.number = 1 then coalesce(d.title, '') else '' end as title,
    '' as names, case when p.number = 1 then coalesce(d.tags, '{}') else '{}'
      end as tags, coalesce(${pollText}, '') as body, p.body_html as html,
    coalesce(d.language, r.language) as language, p.number = 1
      and coalesce(d.language_known, false) as "languageKnown",
    array[case when d.answer_id = p.id then 'answer' end, case when p.number = 1
      and d.id is not null then 'opening' end, case when p.edited_at is not null then 'edited' end] as is,
    ${contentKinds(
      sql`p.body_html`,
      sql`, case when ${pollText} is not null then 'poll' end, case
        when exists (select from uploads u
          where u.attached_kind = 'post' and u.attached_id = p.id and u.mime not like 'image/%') then 'file'
            end`,
    )} as has,
    case when r.id is not null and r.group_id is null then true
      else coalesce(case when d.id is null then ${isOpen("r")} else ${isOpen("d")} end, false) end as open,
    (select count(*)::int from reactions e where e.post_id = p.id) as likes, 0 as comments, 0 as members,
    p.created_at as "createdAt", coalesce(p.edited_at, p.created_at) as "updatedAt"
  from posts p left join discussions d on d.id = p.discussion_id left join resources r on r.id = p.resource_id
  left join groups g on g.id = coalesce(d.group_id, r.group_id)
  where p.id = any(${ids}::uuid[]) and p.state = 'published'
    and coalesce(d.state in ('open', 'archived'), r.state = 'published')`;

const messages = async (_db: Db, ids: string[]) => sql<Row>`
  select x.id, '' as kind, null::uuid as "groupId", x.author_id as "authorId", x.conversation_id as "placeId",
    x.created_at as "saidAt", x.seq as number,
    '' as title, '' as names, '{}'::text[] as tags, '' as body, x.body_html as html, 'en' as language,
    array[]::text[] as is, ${contentKinds(sql`x.body_html`)} as has,
    false as open, 0 as likes, 0 as comments, 0 as members, x.created_at as "createdAt",
    coalesce(x.edited_at, x.created_at) as "updatedAt"
  from messages x where x.id = any(${ids}::uuid[]) and x.deleted_at is null`;

/**
 * Number of references to a resource that all its readers may read: those in public groups and in its own
 * group.
 */
const useCount = sql`(select count(*)::int from resource_uses u
  join posts up on up.id = u.post_id and up.state = 'published'
  join discussions ud on ud.id = up.discussion_id and ud.state <> 'deleted'
  join groups ug on ug.id = ud.group_id
  where u.resource_id = r.id
    and (ug.id = r.group_id or (ug.state not in ('pending', 'deleted') and ug.visibility = 'public'
      and ud.audience = 'group')))`;

/**
 * Resources as sources. In the text of a file, form feeds separate the pages; one also precedes the first
 * page.
 */
const resources = async (db: Db, ids: string[]) => {
  const texts = await hasFileTexts(db);
  return sql<Row>`
    select r.id, r.kind, r.group_id as "groupId", r.owner_id as "authorId", r.id as "placeId",
      r.created_at as "saidAt", null::int as number, r.title,
      r.site_name as names, r.tags, r.why || ${
        texts
          ? sql`coalesce(E'\f' || nullif(left(f.text,
        ${MAX_INDEXED_CHARACTERS}), ''), '')`
          : sql`''`
      } as body,
      r.body_html as html, r.language, array[case when r.health = 'dead' then 'dead' end] as is,
      ${contentKinds(
        sql`r.body_html`,
        sql`, case when r.upload_id is not null then 'file' end, case
        when r.url is not null then 'link' end`,
      )} as has,
      case when r.group_id is null then true else ${isOpen("r")} end as open, ${useCount} as likes,
      r.comments_count as comments, 0 as members, r.created_at as "createdAt",
      coalesce(r.updated_at, r.created_at) as "updatedAt"
    from resources r left join groups g on g.id = r.group_id
      ${
        texts
          ? sql`left join uploads u on u.id = r.upload_id left
        join file_texts f on f.hash = u.hash and f.state in ('read', 'cut')`
          : sql``
      }
    where r.id = any(${ids}::uuid[]) and r.state = 'published'`;
};

/**
 * Whether all who can see the event can also read its description: newcomers of a group that hides its
 * history see its coming events, but not older descriptions.
 */
const isDescriptionShared = sql`(${isOpen("e")}
  or (g.history_policy <> 'from_joining' and g.shared_from is null))`;

/**
 * Events as sources, one for each date of a series. The location is left out while the description is hidden
 * or removed.
 */
const events = async (_db: Db, ids: string[]) => sql<Row>`
  select e.id, '' as kind, e.group_id as "groupId", e.host_id as "authorId",
    coalesce(e.series_id, e.id) as "placeId", e.ends_at as "saidAt", null::int as number, e.title,
    case when p.state in ('hidden', 'removed') then '' else e.place end as names,
    coalesce(d.tags, '{}') as tags, coalesce(i.text, '') as body,
    case when d.id is null then '' else p.body_html end as html,
    coalesce(d.language, 'en') as language, coalesce(d.language_known, false) as "languageKnown",
    array[case when e.cancelled_at is not null then 'cancelled' end,
      case when e.postponed_at is not null then 'postponed' end] as is,
    case when d.id is null then '{}' else ${contentKinds(sql`p.body_html`)} end as has,
    ${isOpen("e")} as open, 0 as likes, 0 as comments, 0 as members, e.created_at as "createdAt",
    coalesce(e.changed_at, e.created_at) as "updatedAt", o.starts_at as "startsAt", o.ends_at as "endsAt"
  from calendar_events e join calendar_occurrences o on o.event_id = e.id
  join groups g on g.id = e.group_id
  left join imported_events i on i.event_id = e.id
  left join posts p on p.id = e.post_id
  left join discussions d on d.id = p.discussion_id and d.group_id = e.group_id
    and d.state in ('open', 'archived') and p.state = 'published' and ${isDescriptionShared}
  where e.id = any(${ids}::uuid[])`;

/** Whether this database stores texts of files. */
const hasFileTexts = async (db: Db) =>
  (await one(db, sql<{ there: boolean }>`select to_regclass('file_texts') is not null as there`)).there;

const SELECTS: Record<Index, (db: Db, ids: string[]) => Promise<ReturnType<typeof sql<Row>>>> = {
  people,
  groups,
  discussions,
  posts,
  resources,
  messages,
  events,
};
