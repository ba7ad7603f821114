import type { Database } from "#platform/database";
import type { Viewer, Visibility } from "#community/rules";
import { setMembership, type TestUsers, createPerson } from "../test-users.ts";

export type ViewerClass =
  | "guest"
  | "stranger"
  | "left"
  | "requested"
  | "invited"
  | "banned"
  | "moderator of the site"
  | "admin"
  | "member";
export const OUTSIDE_CLASSES: ViewerClass[] = [
  "guest",
  "stranger",
  "left",
  "requested",
  "invited",
  "banned",
  "moderator of the site",
  "admin",
];

export async function createViewer(
  database: Database,
  people: TestUsers,
  groupId: string,
  viewerClass: ViewerClass,
): Promise<Viewer> {
  if (viewerClass === "guest") return people.guest;
  if (viewerClass === "member") return people.mira;
  if (viewerClass === "left") return people.noor;
  if (viewerClass === "moderator of the site") return people.ines;
  if (viewerClass === "admin") return people.ada;
  return database.inTransaction(async (tx) => {
    const who = await createPerson(tx, "somebody");
    if (viewerClass !== "stranger") await setMembership(tx, groupId, who, viewerClass);
    return who;
  });
}

/** Creates a viewer of each class. */
export async function createAllViewers(
  database: Database,
  people: TestUsers,
  groupId: string,
): Promise<[ViewerClass, Viewer][]> {
  const { guest, mira, noor, ines, ada } = people;
  const known = Object.entries({
    guest,
    left: noor,
    member: mira,
    "moderator of the site": ines,
    admin: ada,
  }) as [ViewerClass, Viewer][];
  const others = await database.inTransaction((tx) =>
    Promise.all(
      (["stranger", "requested", "invited", "banned"] as const).map(
        async (it): Promise<[ViewerClass, Viewer]> => {
          const who = await createPerson(tx, it);
          if (it !== "stranger") await setMembership(tx, groupId, who, it);
          return [it, who];
        },
      ),
    ),
  );
  return [...known, ...others];
}

/**
 * Whether viewers of a class may learn the group's name (`name`) and read its content (`inside`).
 * Independent of the rules in the code: this table defines the promised behaviour.
 */
export const EXPECTED_VISIBILITY: Record<
  Visibility,
  (it: ViewerClass) => { name: boolean; inside: boolean }
> = {
  public: (it) => ({ name: true, inside: it !== "banned" }),
  private: () => ({ name: true, inside: false }),
  secret: (it) => ({ name: it === "invited", inside: false }),
};
