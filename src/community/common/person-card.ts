import { sql } from "#platform/database";

/** A person as shown beside their content. The card is null if the viewer may not know who the person is. */
export type PersonCard = {
  id: string;
  username: string;
  name: string;
  photoId: string | null;
  /** A bot has no profile, and is marked beside its name. */
  isBot: boolean;
};

/** Columns of `PersonCard`; `alias` is the alias of the person's row. */
export const personColumns = (alias: string) => {
  const p = sql.ref(alias);
  return sql`${p}.id, ${p}.username, ${p}.display_name as name, ${p}.photo_id as "photoId",
    ${p}.state = 'bot' as "isBot"`;
};

/** `personColumns` as one JSON value. */
export const personCard = (alias: string) => {
  const p = sql.ref(alias);
  return sql<PersonCard>`json_build_object('id', ${p}.id, 'username', ${p}.username, 'name',
    ${p}.display_name, 'photoId', ${p}.photo_id, 'isBot', ${p}.state = 'bot')`;
};
