import { type Db, limit, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { prefixQuery } from "#community/common";
import { nameSearchVector, requireSignedIn } from "#community/friends";
import { getGroupToChange } from "#community/groups";
import { groupRules, type SignedIn, type Viewer } from "#community/rules";
import { getDiscussion } from "../discussion.ts";
import {
  cannotPostRefusal,
  type PostContainer,
  getContainer,
  discussionContainer,
  readersFor,
} from "./post-container.ts";
import { isGroupMentionable, joinMentionGroup, isMentionable, type Readers } from "./mentions.ts";
import { cannotStartRefusal } from "./new-discussions.ts";

/** A person or group that a text can mention by `name`. */
export type Mentionable = {
  id: string;
  name: string;
  label: string;
  photoId: string | null;
  isGroup: boolean;
};

const MAX_SUGGESTIONS = 8;

/**
 * Suggests up to eight people and groups whose name begins with the text typed after `@`, for a text at
 * `place` (a discussion, a group for a new discussion, or a resource). Members of the group are first;
 * others are listed only if they are in the directory. Names that cannot be mentioned are left out: a group
 * with the name of a person, and older names whose last character cannot end a mention, such as a dot.
 * @throws `not-found` for a place the viewer may not see, `not-allowed` if they may not write there
 */
export async function listMentionables(
  db: Db,
  viewer: Viewer,
  target: string,
  typed: string,
): Promise<Mentionable[]> {
  const { me, readers } = await getDraftTarget(db, viewer, target);
  const { groupId } = readers;
  const words = prefixQuery(typed);
  if (words === null) return [];
  const isMember = groupId === null ? sql`p.id is null` : sql`m.state = 'member'`;
  const slug = typed.toLowerCase().slice(0, 60);
  return many(
    db,
    sql<Mentionable>`
      (select p.id, p.username as name, p.display_name as label, p.photo_id as "photoId", false as "isGroup"
       from people p ${joinMentionGroup(groupId, "p", "g", "m")}
       where p.id = any(array(select p.id from people p
         where ${nameSearchVector("p")} @@ to_tsquery('simple', ${words})
         limit 5000))
         and p.username !~ '[.-]$' and p.id <> ${me.id} and ${isMentionable(me, readers, "p", "g", "m")}
         and (${isMember} or coalesce((p.privacy->>'inDirectory')::boolean, true))
       order by ${isMember} desc nulls last, lower(p.display_name), p.id ${limit(MAX_SUGGESTIONS)})
      union all
      (select it.id, it.name, it.label, null, true
       from (select g.id, g.slug as name, g.name as label
         from memberships own join groups g on g.id = own.group_id
         where own.person_id = ${me.id} and own.state = 'member' and ${isGroupMentionable(groupId, "g")}
           and (starts_with(g.slug, ${slug}) or starts_with(lower(g.name), ${slug}))) it
       where not exists (select from people p ${joinMentionGroup(groupId, "p", "g", "m")}
         where p.username = it.name and ${isMentionable(me, readers, "p", "g", "m")})
       order by it.id <> ${groupId}::uuid, it.name ${limit(MAX_SUGGESTIONS)})
      ${limit(MAX_SUGGESTIONS)}`,
  );
}

/**
 * The readers of a text that the viewer writes at a place.
 * @throws `not-signed-in`, `not-found`, `not-allowed`
 */
export async function getDraftTarget(
  db: Db,
  viewer: Viewer,
  target: string,
): Promise<{ me: SignedIn; readers: Readers }> {
  const me = requireSignedIn(viewer);
  const [kind, id = ""] = target.split(":");
  if (kind === "group")
    return { me, readers: { groupId: (await getGroupToPostIn(db, me, id)).id, audience: "group" } };
  const container = await getContainerToPostIn(db, me, kind, id);
  // Moderators can edit posts where replies are closed, so they may write there too.
  if (!container.can.reply && !container.can.amend) throw cannotPostRefusal(me, container);
  return { me, readers: readersFor(container) };
}

async function getGroupToPostIn(db: Db, me: SignedIn, id: string) {
  const group = await getGroupToChange(db, me, id, "read");
  if (!groupRules.start(me, group)) throw cannotStartRefusal(me, group);
  return group;
}

async function getContainerToPostIn(
  db: Db,
  me: SignedIn,
  kind: string | undefined,
  id: string,
): Promise<PostContainer> {
  if (kind === "discussion") return discussionContainer(me, await getDiscussion(db, me, id));
  if (kind === "resource") return getContainer(db, me, id, "read");
  throw notFound();
}
