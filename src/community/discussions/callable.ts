import { type Db, limit, many, sql } from "#platform/database";
import { notFound } from "#platform/refusal";
import { prefixQuery } from "#community/common";
import { NAME_WORDS, signedIn } from "#community/friends";
import { groupToChange } from "#community/groups";
import { groupRules, type SignedIn, type Viewer } from "#community/rules";
import { discussionFor } from "./discussion.ts";
import { cannotWrite, type Ground, groundAt, groundOf, readersOf } from "./ground.ts";
import { groupMentionable, inGroup, mentionable, type Readers } from "./mentions.ts";
import { cannotStart } from "./writing.ts";

/** A person or group that a text can mention by `name`. */
export type Callable = { id: string; name: string; label: string; photoId: string | null; isGroup: boolean };

const MOST = 8;

/**
 * Up to eight people and groups whose name begins with what was typed after the `@`, for who writes at `place` (a
 * discussion, a group for a new one, or a resource). Members of the group come first; others only if they are in the directory.
 * Who is offered is who the written name mentions: a group whose name a person has is left out, as `calledIn` takes the
 * person, and so is an older name that ends in a sign that no mention ends in.
 * Throws `not-found` for a place that may not be known of, `not-allowed` for who may not write there.
 */
export async function callable(db: Db, viewer: Viewer, place: string, typed: string): Promise<Callable[]> {
  const { me, readers } = await placeToWrite(db, viewer, place);
  const { groupId } = readers;
  const words = prefixQuery(typed);
  if (words === null) return [];
  const isMember = groupId === null ? sql`p.id is null` : sql`m.state = 'member'`;
  const slug = typed.toLowerCase().slice(0, 60);
  return many(
    db,
    sql<Callable>`
      (select p.id, p.username as name, p.display_name as label, p.photo_id as "photoId", false as "isGroup"
       from people p ${inGroup(groupId)}
       where p.id = any(array(select p.id from people p where ${NAME_WORDS} @@ to_tsquery('simple', ${words}) limit 5000))
         and p.username !~ '[.-]$' and p.id <> ${me.id} and ${mentionable(me, readers)} and (${isMember} or coalesce((p.privacy->>'inDirectory')::boolean, true))
       order by ${isMember} desc nulls last, lower(p.display_name), p.id ${limit(MOST)})
      union all
      (select it.id, it.name, it.label, null, true
       from (select g.id, g.slug as name, g.name as label
         from memberships own join groups g on g.id = own.group_id
         where own.person_id = ${me.id} and own.state = 'member' and ${groupMentionable(groupId)}
           and (starts_with(g.slug, ${slug}) or starts_with(lower(g.name), ${slug}))) it
       where not exists (select from people p ${inGroup(groupId)} where p.username = it.name and ${mentionable(me, readers)})
       order by it.id <> ${groupId}::uuid, it.name ${limit(MOST)})
      ${limit(MOST)}`,
  );
}

/**
 * The readers of a text written at a place where the viewer may write.
 * @throws `not-signed-in`, `not-found`, `not-allowed`
 */
export async function placeToWrite(db: Db, viewer: Viewer, place: string): Promise<{ me: SignedIn; readers: Readers }> {
  const me = signedIn(viewer);
  const [kind, id = ""] = place.split(":");
  if (kind === "group") return { me, readers: { groupId: (await groupToStartIn(db, me, id)).id, audience: "group" } };
  const ground = await groundToWrite(db, me, kind, id);
  // Moderators can edit posts where replies are closed.
  if (!ground.may.reply && !ground.may.amend) throw cannotWrite(me, ground);
  return { me, readers: readersOf(ground) };
}

async function groupToStartIn(db: Db, me: SignedIn, id: string) {
  const group = await groupToChange(db, me, id, "read");
  if (!groupRules.start(me, group)) throw cannotStart(me, group);
  return group;
}

async function groundToWrite(db: Db, me: SignedIn, kind: string | undefined, id: string): Promise<Ground> {
  if (kind === "discussion") return groundOf(me, await discussionFor(db, me, id));
  if (kind === "resource") return groundAt(db, me, id, "read");
  throw notFound();
}
