import { sql } from "#platform/database";
import { ISO_FORMAT } from "./post-columns.ts";

// Former addresses and usernames. They are exported so that they redirect after an import too.

/**
 * Former paths of the entity under `alias`; for a discussion also the paths of discussions merged into it.
 */
export const oldPathsColumn = (
  kind: "user" | "group" | "discussion" | "post" | "resource",
  alias: string,
) => {
  const id = sql.ref(`${alias}.id`);
  const things =
    kind === "discussion"
      ? sql`any(array(select ${id} union all select f.id from former_discussions f
        where f.discussion_id = ${id}))`
      : id;
  return sql`
  (select json_agg(a.path order by a.path) from address_redirects a
  where a.kind = ${sql.lit(kind)} and a.thing_id = ${things})`;
};

/** Former usernames of the person `p`, and until when each redirects. */
export const formerNamesColumn = (person: string) => {
  const p = sql.ref(person);
  return sql`
  (select json_agg(json_build_object('name', f.username, 'until',
    to_char(f.until at time zone 'UTC', ${ISO_FORMAT})) order by f.username)
   from former_usernames f where f.person_id = ${p}.id)`;
};
