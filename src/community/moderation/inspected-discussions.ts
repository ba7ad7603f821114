import { type Db, limit, many, maybeOne, sql, type Tx } from "#platform/database";
import { isId } from "#platform/ids";
import { stripMedia } from "#platform/markup";
import { notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import {
  encodeCursor,
  andIfGiven,
  type Page,
  toPage,
  personCard,
  type PersonCard,
  readCursor,
} from "#community/common";
import { LIMITS, type Viewer } from "#community/rules";
import { type Inspection, getInspection } from "./group-inspections.ts";

export type InspectedDiscussion = {
  id: string;
  title: string;
  author: PersonCard;
  posts: number;
  lastPostAt: Date;
};
export type InspectedPost = {
  id: string;
  number: number;
  author: PersonCard;
  /** Null for a deleted, removed or moved post. Contains no pictures and links. */
  html: string | null;
  createdAt: Date;
};
export type InspectedPage = Inspection & {
  title: string;
  posts: InspectedPost[];
  page: number;
  pages: number;
};

const SIZE = LIMITS.page.posts;

/**
 * Like `getInspection`, with the group's discussions, latest first. `discussions` is null unless an
 * inspection is open.
 */
export async function listInspectedDiscussions(
  db: Db,
  viewer: Viewer,
  idOrSlug: string,
  query: { after?: string | undefined; now: Date },
): Promise<Inspection & { discussions: Page<InspectedDiscussion> | null }> {
  const inspection = await getInspection(db, viewer, idOrSlug, query.now);
  return {
    ...inspection,
    discussions: inspection.open && (await listGroupDiscussions(db, inspection.group.id, query.after)),
  };
}

async function listGroupDiscussions(
  db: Db,
  groupId: string,
  after: string | undefined,
): Promise<Page<InspectedDiscussion>> {
  const cursor = readCursor(after, ["time", "id"]);
  // One subquery per state, because each state has its own index.
  const inState = (state: "open" | "archived") => sql`
    (select d.* from discussions d where d.group_id = ${groupId} and d.state = ${sql.lit(state)}
       ${andIfGiven(cursor, ([at, id]) => sql`(d.last_post_at, d.id) < (${at}, ${id}::uuid)`)}
     order by d.last_post_at desc, d.id desc ${limit(LIMITS.page.discussions + 1)})`;
  const rows = await many(
    db,
    sql<InspectedDiscussion>`
      select d.id, d.title, ${personCard("p")} as author, d.posts_count as posts,
        d.last_post_at as "lastPostAt"
      from (${inState("open")} union all ${inState("archived")}) d join people p on p.id = d.author_id
      order by d.last_post_at desc, d.id desc ${limit(LIMITS.page.discussions + 1)}`,
  );
  return toPage(rows, LIMITS.page.discussions, (last) => encodeCursor(last.lastPostAt, last.id));
}

/**
 * One page of an inspected discussion. Each discussion read is logged once per inspection.
 * @throws `not-found` without an open inspection of its group
 */
export async function inspectDiscussion(
  tx: Tx,
  viewer: Viewer,
  id: string,
  wanted: number,
): Promise<InspectedPage> {
  const discussion = isId(id)
    ? await maybeOne(
        tx,
        sql<{ groupId: string; title: string; last: number }>`
          select group_id as "groupId", title, last_number as last from discussions
          where id = ${id} and state <> 'deleted'`,
      )
    : undefined;
  if (!discussion) throw notFound();
  const inspection = await getInspection(tx, viewer, discussion.groupId, tx.now);
  if (!inspection.open) throw notFound();
  await logInspectedDiscussion(tx, viewer, inspection, id);
  const pages = Math.max(1, Math.ceil(discussion.last / SIZE));
  const page = Math.min(pages, Math.max(1, Math.trunc(wanted) || 1));
  return {
    ...inspection,
    title: discussion.title,
    posts: await listInspectedPosts(tx, id, page),
    page,
    pages,
  };
}

async function listInspectedPosts(tx: Tx, id: string, page: number): Promise<InspectedPost[]> {
  const posts = await many(
    tx,
    sql<InspectedPost>`
      select x.id, x.number, ${personCard("p")} as author, case
        when x.state in ('published', 'hidden') then x.body_html end as html, x.created_at as "createdAt"
      from posts x join people p on p.id = x.author_id
      where x.discussion_id = ${id} and x.number > ${(page - 1) * SIZE} and x.number <= ${page * SIZE}
      order by x.number`,
  );
  return posts.map((post) => ({ ...post, html: post.html === null ? null : stripMedia(post.html) }));
}

async function logInspectedDiscussion(
  tx: Tx,
  viewer: Viewer,
  { group, open }: Inspection,
  discussionId: string,
) {
  const before = await maybeOne(
    tx,
    sql`select from audit_events where object_kind = 'discussion' and object_id = ${discussionId}
      and act = 'discussion.inspected'
          and actor_id = ${viewer.id}::uuid and at >= ${open!.since}`,
  );
  if (!before)
    await writeAudit(tx, viewer, {
      act: "discussion.inspected",
      kind: "discussion",
      id: discussionId,
      details: { groupId: group.id },
    });
}
