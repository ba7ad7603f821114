import { type Db, maybeOne, run, sql } from "#platform/database";
import { isId } from "#platform/ids";
import { notFound, Refusal } from "#platform/refusal";
import { blockersOf } from "#community/friends";
import { groupFactsJson, viewersTie } from "#community/groups";
import {
  type ContentFacts,
  discussionRules,
  type GroupFacts,
  groupRules,
  type ResourceFacts,
  resourceRules,
  type Viewer,
} from "#community/rules";
import { cannotReply, type Discussion, discussionFor, discussionToChange, writesNothing } from "./discussion.ts";

/** The container of posts as the viewer sees it: a discussion, or a resource with comments. */
export type Ground = {
  /** Ids as used in domain events and the audit log. */
  at: { discussionId: string; groupId: string } | { resourceId: string; groupId: string | null };
  group: (GroupFacts & { id: string }) | null;
  audience: ContentFacts["audience"];
  /** Posts up to this number are hidden from the viewer; 0 if they read all. */
  hiddenUpTo: number;
  lastNumber: number;
  /** The viewer sees posts despite blocks. */
  pastBlocks: boolean;
  may: { see: boolean; reply: boolean; react: boolean; moderate: boolean; amend: boolean };
  /** Null for comments. */
  discussion: Discussion | null;
};

/** Type of a domain event about a post or comment here: `post.edited`, `comment.edited`. */
export const happening = (ground: Pick<Ground, "at">, what: string) => `${"discussionId" in ground.at ? "post" : "comment"}.${what}`;

export const readersOf = ({ at, audience }: Pick<Ground, "at" | "audience">) => ({ groupId: at.groupId, audience });

export const groundOf = (viewer: Viewer, it: Discussion): Ground => ({
  at: { discussionId: it.id, groupId: it.group.id },
  group: it.group,
  audience: it.audience,
  hiddenUpTo: it.hiddenUpTo,
  lastNumber: it.lastNumber,
  pastBlocks: groupRules.pastBlocks(viewer, it.group),
  may: {
    see: discussionRules.see(viewer, it),
    reply: discussionRules.reply(viewer, it),
    react: discussionRules.react(viewer, it),
    moderate: discussionRules.moderate(viewer, it),
    amend: discussionRules.amend(viewer, it),
  },
  discussion: it,
});

export type CommentedOn = Omit<ResourceFacts, "group"> & { id: string; group: (GroupFacts & { id: string }) | null };

/** Container for the comments on a loaded resource, with the viewer's permissions. */
export function groundUnder(viewer: Viewer, it: CommentedOn, lastNumber: number): Ground {
  const see = resourceRules.see(viewer, it);
  const write = resourceRules.comment(viewer, it);
  return {
    at: { resourceId: it.id, groupId: it.group?.id ?? null },
    group: it.group,
    audience: it.audience,
    hiddenUpTo: 0,
    lastNumber,
    pastBlocks: it.group !== null && groupRules.pastBlocks(viewer, it.group),
    may: {
      see,
      reply: write,
      react: write,
      moderate: see && resourceRules.moderate(viewer, it),
      // Staff remove comments on site-wide resources but do not edit them.
      amend: write && it.group !== null && groupRules.amend(viewer, it.group),
    },
    discussion: null,
  };
}

type Lock = "lock" | "read";

/**
 * The resource `id` as a container of comments; with a lock, no one else's comment gets the next number.
 * @throws `not-found` for a resource the viewer may not see
 */
export async function groundAt(db: Db, viewer: Viewer, id: string, lock: Lock): Promise<Ground> {
  // The lock precedes the query for the number: a statement that waits for a row continues with its old
  // snapshot of other rows.
  if (lock === "lock" && isId(id)) await run(db, sql`select from resources where id = ${id} for no key update`);
  const it = isId(id)
    ? await maybeOne(
        db,
        sql<CommentedOn & { lastNumber: number }>`
          select r.id, r.state, r.audience, r.created_at as "createdAt", case when r.keeper_id <> all(${blockersOf(viewer)}) then r.keeper_id end as "keeperId",
            case when g.id is not null then ${groupFactsJson} end as "group",
            coalesce((select max(p.number) from posts p where p.resource_id = r.id), 0) as "lastNumber"
          from resources r left join groups g on g.id = r.group_id ${viewersTie(viewer)} where r.id = ${id}`,
      )
    : undefined;
  if (!it || !resourceRules.see(viewer, it)) throw notFound();
  return groundUnder(viewer, it, it.lastNumber);
}

/**
 * The container of the post `id`.
 * @throws `not-found` for a post the viewer may not read
 */
export async function groundOfPost(db: Db, viewer: Viewer, id: string, lock: Lock = "read"): Promise<Ground> {
  const place = isId(id)
    ? await maybeOne(
        db,
        sql<{ discussionId: string | null; resourceId: string | null }>`
          select discussion_id as "discussionId", resource_id as "resourceId" from posts where id = ${id}`,
      )
    : undefined;
  if (place?.resourceId) return groundAt(db, viewer, place.resourceId, lock);
  if (!place?.discussionId) throw notFound();
  const find = lock === "lock" ? discussionToChange : discussionFor;
  return groundOf(viewer, await find(db, viewer, place.discussionId));
}

/** Why a reader of this container cannot write in it. */
export function cannotWrite(viewer: Viewer, { discussion }: Ground): Refusal {
  if (discussion) return cannotReply(viewer, discussion);
  return viewer.limited ? writesNothing() : new Refusal("not-allowed", "Join the group to comment here.");
}
