import { type Db, many, sql } from "#platform/database";
import type { Happening } from "#platform/outbox";

/** A record that each who follows it reads as themselves; `only`: nobody else has it. */
export type ViewedChange = { table: Viewed; event: "created" | "updated"; objectId: string; only: string[] | null };

/** Nouns that are followed that way. That such a record goes is not told: nothing is there any more to say who may know. */
export const VIEWED = ["Users", "Resources", "Friendships", "Notifications"] as const;
type Viewed = (typeof VIEWED)[number];

const CREATED = /^(person\.joined|resource\.(added|kept|restored)|friend\.(requested|back))$/;
const UPDATED =
  /^(person\.(changed|role-changed|status-changed)|resource\.(edited|version|address-accepted|link-\w+|featured|unfeatured)|friend\.accepted)$/;

/** Which noun a happening may have changed a record of; null where it is none of these. */
export function viewedIn({ type }: Happening): Viewed | null {
  if (/^notifications?\.made$/.test(type)) return "Notifications";
  if (!CREATED.test(type) && !UPDATED.test(type)) return null;
  return type.startsWith("person.") ? "Users" : type.startsWith("friend.") ? "Friendships" : "Resources";
}

/** Which records it changed, as far as that concerns the people who are here. */
export async function viewedChangesIn(db: Db, happening: Happening, here: string[]): Promise<ViewedChange[]> {
  const table = viewedIn(happening);
  const { type, by, personId, resourceId, objectId } = happening;
  const event = CREATED.test(type) ? "created" : "updated";
  if (table === "Users") return [{ table, event, objectId: String(personId), only: null }];
  if (table === "Resources") return [{ table, event, objectId: String(resourceId), only: null }];
  if (table === "Notifications") return notificationsOf(db, String(objectId), here);
  if (table === null) return [];
  const both = [String(by), String(personId)].toSorted();
  return [{ table, event, objectId: both.join(":"), only: both }];
}

/** What is new takes the place of what has not been read: of each person, the row that was touched last. */
const notificationsOf = async (db: Db, aboutId: string, here: string[]): Promise<ViewedChange[]> =>
  (
    await many(
      db,
      sql<{ id: string; personId: string; isNew: boolean }>`
        select distinct on (person_id) id, person_id as "personId", updated_at = created_at as "isNew" from notifications
        where object_id = ${aboutId}::uuid and person_id = any(${here}::uuid[]) order by person_id, updated_at desc`,
    )
  ).map(({ id, personId, isNew }) => ({ table: "Notifications", event: isNew ? "created" : "updated", objectId: id, only: [personId] }));
