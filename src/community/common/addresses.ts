/**
 * What stored texts link to. By id, so that nobody's new name breaks them. The web's own addresses are in its
 * `urls.ts`; a test there holds the two together.
 */
export const addressOf = {
  person: (id: string) => `/users/${id}`,
  group: (id: string) => `/groups/${id}`,
  file: (id: string) => `/files/${id}`,
};
