import { companyAnywhere } from "#community/published";
import type { Caller } from "../caller.ts";
import { peopleAmong, type RealtimeHouse } from "../room.ts";
import type { By } from "./deeds.ts";

/** A deed's author as somebody may know them: without a name where a block parts the two, or they keep to themselves. */
export type AsKnown = (caller: Caller) => By;

/** Under which name each of these learns of the author of a deed. Guests learn of nobody by name. */
export async function knownTo(house: RealtimeHouse, by: By, listeners: Iterable<Caller>): Promise<AsKnown> {
  const { connectionId, userId } = by;
  const nobody = { connectionId, userId: null };
  if (userId === null) return () => nobody;
  const others = peopleAmong(listeners).filter((it) => it !== userId);
  const company = others.length === 0 ? null : await companyAnywhere(house.db, userId, others);
  return ({ viewer, withServerKey }) =>
    withServerKey || viewer.id === userId || (viewer.id !== null && company?.shownTo(viewer.id)) ? by : nobody;
}

/** People as one of them, or somebody with the server key, may know them. */
export async function knownBy(house: RealtimeHouse, { viewer, withServerKey }: Caller, people: By[]): Promise<By[]> {
  const others = [...new Set(people.map(({ userId }) => userId))].filter((it): it is string => it !== null && it !== viewer.id);
  const company = viewer.id === null || others.length === 0 ? null : await companyAnywhere(house.db, viewer.id, others);
  return people.map(({ connectionId, userId }) => {
    const known = userId !== null && (withServerKey || userId === viewer.id || company?.sees(userId));
    return { connectionId, userId: known ? userId : null };
  });
}
