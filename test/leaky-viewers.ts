import type { Database } from "#platform/database";
import type { Viewer, Visibility } from "#community/rules";
import { bring, type Cast, person } from "./cast.ts";

export type Class = "guest" | "stranger" | "left" | "requested" | "invited" | "banned" | "moderator of the site" | "admin" | "member";
export const OUTSIDE: Class[] = ["guest", "stranger", "left", "requested", "invited", "banned", "moderator of the site", "admin"];

export async function viewerOf(database: Database, people: Cast, groupId: string, it: Class): Promise<Viewer> {
  if (it === "guest") return people.guest;
  if (it === "member") return people.mira;
  if (it === "left") return people.noor;
  if (it === "moderator of the site") return people.ines;
  if (it === "admin") return people.ada;
  return database.inTransaction(async (tx) => {
    const who = await person(tx, "somebody");
    if (it !== "stranger") await bring(tx, groupId, who, it);
    return who;
  });
}

/** Creates a viewer of each class. */
export async function everyViewer(database: Database, people: Cast, groupId: string): Promise<[Class, Viewer][]> {
  const { guest, mira, noor, ines, ada } = people;
  const known = Object.entries({ guest, left: noor, member: mira, "moderator of the site": ines, admin: ada }) as [Class, Viewer][];
  const others = await database.inTransaction((tx) =>
    Promise.all(
      (["stranger", "requested", "invited", "banned"] as const).map(async (it): Promise<[Class, Viewer]> => {
        const who = await person(tx, it);
        if (it !== "stranger") await bring(tx, groupId, who, it);
        return [it, who];
      }),
    ),
  );
  return [...known, ...others];
}

/**
 * Whether a class may know the group (`name`) and read it (`inside`). Independent of the rules in the code:
 * this table is the promise.
 */
export const PROMISE: Record<Visibility, (it: Class) => { name: boolean; inside: boolean }> = {
  public: (it) => ({ name: true, inside: it !== "banned" }),
  private: () => ({ name: true, inside: false }),
  secret: (it) => ({ name: it === "invited", inside: false }),
};
