import { type Db, limit, many, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { invalid, Refusal } from "#platform/refusal";
import { prefixQuery } from "#community/common";
import {
  canSeePerson,
  nameSearchVector,
  blockedEitherWayIds,
  requireSignedIn,
  type Relationship,
  listRelationships,
} from "#community/friends";
import { friendRules, LIMITS, type SignedIn, type Viewer } from "#community/rules";

/**
 * A possible recipient. `why` is the reason why the person accepts no first message from the viewer; null if
 * they accept it.
 */
export type Recipient = {
  id: string;
  name: string;
  label: string;
  photoId: string | null;
  why: Relationship["messages"] | "limited" | "newcomer" | null;
};
const MAX_SUGGESTED = 8;

/**
 * Suggests at most eight people whose name begins with the typed text, friends and members of shared groups
 * first. Only friends and people in the directory are suggested; people blocked either way are left out.
 * @throws `not-signed-in`
 */
export async function suggestRecipients(db: Db, viewer: Viewer, typed: string): Promise<Recipient[]> {
  const me = requireSignedIn(viewer);
  const words = prefixQuery(typed);
  if (words === null) return [];
  const found = await many(
    db,
    sql<{ id: string; photoId: string | null }>`
      select p.id, p.photo_id as "photoId" from people p
      left join friendships f on f.low_id = least(p.id, ${me.id}::uuid)
        and f.high_id = greatest(p.id, ${me.id}::uuid) and f.state = 'friends'
      where p.id = any(array(select p.id from people p
        where ${nameSearchVector("p")} @@ to_tsquery('simple', ${words})
        limit 5000))
        and p.id <> ${me.id} and p.state in ('active', 'limited') and p.id <> all(${blockedEitherWayIds(me)})
        and (f.state is not null or coalesce((p.privacy->>'inDirectory')::boolean, true))
      order by f.state is not null desc, lower(p.display_name), p.id ${limit(3 * MAX_SUGGESTED)}`,
  );
  const ties = await listRelationships(db, me, { ids: found.map(({ id }) => id) });
  const people = found.flatMap(({ id, photoId }) => {
    const relationship = ties.find((one) => one.id === id);
    return relationship && canSeePerson(me, relationship)
      ? [
          {
            id,
            name: relationship.username,
            label: relationship.name,
            photoId,
            why: unreachableReason(me, relationship),
          },
        ]
      : [];
  });
  return people.toSorted((a, b) => Number(a.why !== null) - Number(b.why !== null)).slice(0, MAX_SUGGESTED);
}

function unreachableReason(me: SignedIn, relationship: Relationship): Recipient["why"] {
  if (friendRules.write(me, relationship)) return null;
  if (me.limited) return "limited";
  return me.trust === "new" && relationship.messages !== "nobody" ? "newcomer" : relationship.messages;
}

/**
 * The named people, in the given order.
 * @throws `invalid` on `to` for the name of a person who is unknown or whom the viewer may not see
 */
export async function getRecipients(tx: Tx, me: SignedIn, to: string[]): Promise<Relationship[]> {
  const ties = (await listRelationships(tx, me, { usernames: to })).filter(
    (relationship) => relationship.id !== me.id && canSeePerson(me, relationship),
  );
  return to.map((name) => {
    const relationship = ties.find(({ username }) => username === name);
    if (!relationship)
      throw invalid("to", msg("You cannot write to {name}: there is no such member.", { name }));
    return relationship;
  });
}

/**
 * Asserts that the person accepts a first message from the viewer.
 * @throws `not-allowed`, on `to`
 */
export function assertCanMessage(me: SignedIn, relationship: Relationship) {
  if (!friendRules.write(me, relationship))
    throw new Refusal("not-allowed", msg("You cannot write to {name}.", { name: relationship.name }), {
      fields: { to: msg("You cannot write to {name}.", { name: relationship.name }) },
    });
}

/** Refusal that names the first person above the limit of thirty. */
export const conversationFullRefusal = (name: string) =>
  invalid(
    "to",
    msg("A conversation can have at most {count} people: {name} cannot be added.", {
      count: LIMITS.conversation.people,
      name,
    }),
  );
