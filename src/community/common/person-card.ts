import { sql } from "#platform/database";

/** A person as shown beside their content. A null card means that the viewer may not know who it was. */
export type PersonCard = { id: string; username: string; name: string; photoId: string | null };

/** JSON card of the person whose row has this alias. */
export const personCard = (alias: string) => {
  const p = sql.ref(alias);
  return sql<PersonCard>`json_build_object('id', ${p}.id, 'username', ${p}.username, 'name',
    ${p}.display_name, 'photoId', ${p}.photo_id)`;
};
