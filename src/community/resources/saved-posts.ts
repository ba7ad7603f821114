import { type Db, one, run, sql, type Tx } from "#platform/database";
import { emit } from "#platform/outbox";
import { invalid, notFound } from "#platform/refusal";
import { getDiscussion, getPost } from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import type { ResourceKind, SignedIn, Viewer } from "#community/rules";

/** The parts of a post that can be saved: text, addresses, and its location. */
export type SavablePost = {
  postId: string;
  number: number;
  author: string | null;
  discussion: { id: string; title: string };
  groupId: string;
  /**
   * Everyone can read the post, so its text may be saved anywhere. Otherwise the text must stay in its
   * group.
   */
  open: boolean;
  body: string;
  links: string[];
};

/**
 * Loads a post to save it as a resource.
 * @throws `not-found` for a post the viewer cannot read, and for a comment
 */
export async function getSavablePost(db: Db, viewer: Viewer, postId: string): Promise<SavablePost> {
  const me = requireSignedIn(viewer);
  const post = await getPost(db, me, postId);
  if (post.html === null || post.discussionId === null) throw notFound();
  const discussion = await getDiscussion(db, me, post.discussionId);
  const { body } = await one(
    db,
    sql<{ body: string }>`select body_md as body from posts where id = ${post.id}`,
  );
  const links = [...post.html.matchAll(/href="(https?:[^"]+)"/g)].map((match) =>
    match[1]!.replaceAll("&amp;", "&"),
  );
  return {
    postId: post.id,
    number: post.number,
    author: post.author?.name ?? null,
    discussion: { id: discussion.id, title: discussion.title },
    groupId: discussion.group.id,
    open: discussion.group.visibility === "public" && discussion.audience === "group",
    body,
    links: [...new Set(links)].slice(0, 10),
  };
}

type SaveInput = { postId?: string | undefined; groupId?: string | undefined };

/**
 * Asserts that a post may be saved in the given place: its addresses anywhere, but text of a restricted
 * group only in that group.
 */
export async function assertCanSavePost(
  tx: Tx,
  me: SignedIn,
  { postId, groupId }: SaveInput,
  kind: ResourceKind,
): Promise<void> {
  if (postId === undefined) return;
  const it = await getSavablePost(tx, me, postId);
  if (kind === "document" && !it.open && groupId !== it.groupId)
    throw invalid("groupId", "Content from a group can only be saved in that group.");
}

/** Links a resource and its original post, both ways. */
export async function linkToPost(
  tx: Tx,
  me: SignedIn,
  resourceId: string,
  { postId, groupId }: SaveInput,
): Promise<void> {
  if (postId === undefined) return;
  await run(
    tx,
    sql`insert into resource_uses (resource_id, post_id, is_origin) values (${resourceId}, ${postId}, true)
      on conflict do nothing`,
  );
  const { discussionId } = await one(
    tx,
    sql<{ discussionId: string }>`select discussion_id as "discussionId" from posts where id = ${postId}`,
  );
  await emit(tx, {
    type: "resource.saved",
    resourceId,
    groupId: groupId ?? null,
    postId,
    discussionId,
    by: me.id,
  });
}
