import { sql } from "#platform/database";
import { isExportedPerson } from "./exported-people.ts";

// Columns of the post `p` for export statements.

/** The format of a JavaScript date, whatever the server's time zone. */
export const ISO_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

export const pollColumn = (post: string) => {
  const p = sql.ref(post);
  return sql`
  (select json_build_object('options', (select json_agg(o.text order by o.position) from poll_options o
    where o.post_id = y.post_id), 'most', y.most,
     'results', y.results, 'closesAt', to_char(y.closes_at at time zone 'UTC', ${ISO_FORMAT}), 'createdAt',
     to_char(y.created_at at time zone 'UTC', ${ISO_FORMAT}))
   from polls y where y.post_id = ${p}.id)`;
};

/** Ids of the files attached to the post or message, in upload order. */
export const filesColumn = (kind: "post" | "message") => sql`
  (select json_agg(u.id order by u.id) from uploads u
  where u.attached_kind = ${sql.lit(kind)}
    and u.attached_id = ${sql.ref(kind === "post" ? "p.id" : "m.id")})`;

type Sql = ReturnType<typeof sql>;

/**
 * People and groups mentioned in a text, taken from the links in its HTML that begin with `@`, so that
 * renamed ones are found too. `person` and `group` refer to them by the alias `x`.
 */
export const createMentionsColumn = (person: Sql, group: Sql, post: string) => {
  const p = sql.ref(post);
  return sql`
  case when ${p}.body_html like '%">@%' then (
    select json_agg(json_build_object('name', t.name, t.kind, t.id) order by t.name) from (
      select distinct on (name) lower(l[3]) as name, case l[1] when 'users' then 'user' else 'group'
        end as kind, l[2] as id
      from regexp_matches(${p}.body_html,
        '<a href="/(users|groups)/([0-9a-f-]{36})"[^>]*>@([A-Za-z0-9_.-]{1,60})</a>', 'g') l
      where exists (select from people x where x.id = l[2]::uuid and ${person})
        or exists (select from groups x where x.id = l[2]::uuid and ${group})) t) end`;
};
export const mentionsColumn = (post: string) =>
  createMentionsColumn(isExportedPerson("x"), sql`x.state <> 'deleted'`, post);

/**
 * Columns that link a moved post and its placeholders, within exported discussions. A record can reference
 * only earlier records, so the link is in whichever record is exported later: `to` in a placeholder, `from`
 * in the post.
 */
export function createMovesColumns(discussionTold: (discussionId: Sql) => Sql, post: string) {
  const p = sql.ref(post);
  const comesBefore = (one: "x" | "s") =>
    sql`(${sql.ref(`${one}.discussion_id`)}, ${sql.ref(`${one}.number`)}) < (${p}.discussion_id, ${p}.number)
      and ${discussionTold(sql.ref(`${one}.discussion_id`))}`;
  return {
    to: sql`(select x.id from posts x where x.id = ${p}.moved_to and ${comesBefore("x")})`,
    from: sql`(select json_agg(s.id order by s.discussion_id, s.number) from posts s
      where s.moved_to = ${p}.id and ${comesBefore("s")})`,
  };
}
export const movesColumns = createMovesColumns(
  (id) =>
    sql`exists (select from discussions o join groups h on h.id = o.group_id and h.state <> 'deleted'
      where o.id = ${id} and o.state <> 'deleted')`,
  "p",
);
