import { type Db, limit, many, sql } from "#platform/database";
import { stripMedia } from "#platform/markup";
import { requireSignedIn } from "#community/friends";
import { LIMITS, type Viewer } from "#community/rules";

/** Facts about the sender of a request: account age, shared groups, and the message. */
export type RequestCard = {
  conversationId: string;
  since: Date;
  staff: boolean;
  groupsInCommon: { slug: string; name: string }[];
  /** HTML of the message without pictures and links. */
  html: string;
};

/**
 * Cards of the latest requests. Each card is about the author of the message that can be read before
 * accepting.
 * @throws `not-signed-in`
 */
export async function listRequestCards(db: Db, viewer: Viewer): Promise<RequestCard[]> {
  const me = requireSignedIn(viewer);
  const rows = await many(
    db,
    sql<RequestCard>`
      select c.id as "conversationId", author.created_at as since, author.site_role <> 'member' as staff,
        x.body_html as html,
        (select coalesce(json_agg(json_build_object('slug', g.slug, 'name', g.name) order by g.name), '[]')
        from memberships theirs
         join memberships ours on ours.group_id = theirs.group_id and ours.person_id = ${me.id}
           and ours.state = 'member'
         join groups g on g.id = ours.group_id and g.state <> 'deleted'
         where theirs.person_id = author.id and theirs.state = 'member') as "groupsInCommon"
      from participants p join conversations c on c.id = p.conversation_id
      join messages x on x.conversation_id = c.id and x.seq = p.joined_seq + 1 and x.deleted_at is null
      join people author on author.id = x.author_id and not exists (
        select from blocks b where (b.blocker_id = author.id and b.blocked_id = ${me.id})
          or (b.blocker_id = ${me.id} and b.blocked_id = author.id))
      where p.person_id = ${me.id} and p.state = 'request'
      order by p.last_message_at desc ${limit(LIMITS.page.people)}`,
  );
  return rows.map((row) => ({ ...row, html: stripMedia(row.html) }));
}
