/**
 * What stored texts and found things link to. By id, so that nobody's new name breaks them. The web's own addresses are in its
 * `urls.ts`; a test there holds the two together.
 */
export const addressOf = {
  person: (id: string) => `/users/${id}`,
  group: (id: string) => `/groups/${id}`,
  file: (id: string) => `/files/${id}`,
  discussion: (id: string) => `/discussions/${id}`,
  post: (id: string) => `/posts/${id}`,
  message: (conversationId: string, seq: number) => `/conversations/${conversationId}?at=${seq}#message-${seq}`,
  resource: (id: string, comment?: number) => `/resources/${id}${comment === undefined ? "" : `?post=${comment}#post-${comment}`}`,
};
