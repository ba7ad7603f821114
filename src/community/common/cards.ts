import { sql } from "#platform/database";

/** A person as shown beside what they did. Where a card is null, the viewer may not know who it was. */
export type PersonCard = { id: string; username: string; name: string; photoId: string | null };

/** The card of the person whose row has this alias in the statement. */
export const personCard = (alias: string) => {
  const p = sql.ref(alias);
  return sql<PersonCard>`json_build_object('id', ${p}.id, 'username', ${p}.username, 'name', ${p}.display_name, 'photoId', ${p}.photo_id)`;
};
