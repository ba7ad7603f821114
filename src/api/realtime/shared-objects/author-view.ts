import { getPresenceOutsideCommunity } from "#community/api-entities";
import type { Caller } from "../realtime-caller.ts";
import type { RealtimeContext } from "../subscription-registry.ts";
import { listPersonIds } from "../person-ids.ts";
import type { Author } from "./shared-object-events.ts";

/**
 * Returns the author of an event as a caller may see them: anonymous for callers who may not see the person.
 */
export type AuthorView = (caller: Caller) => Author;

/** Creates the view of an event's author for these listeners. Guests see every author anonymously. */
export async function createAuthorView(
  app: Pick<RealtimeContext, "db">,
  by: Author,
  listeners: Iterable<Caller>,
): Promise<AuthorView> {
  const { connectionId, userId } = by;
  const nobody = { connectionId, userId: null };
  if (userId === null) return () => nobody;
  const others = listPersonIds(listeners).filter((it) => it !== userId);
  const company = others.length === 0 ? null : await getPresenceOutsideCommunity(app.db, userId, others);
  return ({ viewer, withServerKey }) =>
    withServerKey || viewer.id === userId || (viewer.id !== null && company?.shownTo(viewer.id))
      ? by
      : nobody;
}

/**
 * Returns these people as a caller may see them: anonymous if hidden from the caller. The server key sees
 * everyone.
 */
export async function visibleAuthors(
  app: Pick<RealtimeContext, "db">,
  { viewer, withServerKey }: Caller,
  people: Author[],
): Promise<Author[]> {
  const others = [...new Set(people.map(({ userId }) => userId))].filter(
    (it): it is string => it !== null && it !== viewer.id,
  );
  const company =
    viewer.id === null || others.length === 0
      ? null
      : await getPresenceOutsideCommunity(app.db, viewer.id, others);
  return people.map(({ connectionId, userId }) => {
    const known = userId !== null && (withServerKey || userId === viewer.id || company?.sees(userId));
    return { connectionId, userId: known ? userId : null };
  });
}
