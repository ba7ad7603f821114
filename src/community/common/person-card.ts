import { sql } from "#platform/database";

/** A person as shown beside their content. A null card means that the viewer may not know who it was. */
export type PersonCard = { id: string; username: string; name: string; photoId: string | null };

/** Columns of `PersonCard`, of the person whose row has this alias. */
export const personColumns = (alias: string) => {
  const p = sql.ref(alias);
  return sql`${p}.id, ${p}.username, ${p}.display_name as name, ${p}.photo_id as "photoId"`;
};

/** The same as one JSON value. */
export const personCard = (alias: string) => {
  const p = sql.ref(alias);
  return sql<PersonCard>`json_build_object('id', ${p}.id, 'username', ${p}.username, 'name',
    ${p}.display_name, 'photoId', ${p}.photo_id)`;
};
