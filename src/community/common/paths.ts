/**
 * Paths in stored texts and search results. They contain ids, so that a rename does not break them. The web
 * interface has its own paths in `urls.ts`; a test compares both lists.
 */
export const paths = {
  person: (id: string) => `/users/${id}`,
  group: (id: string) => `/groups/${id}`,
  file: (id: string) => `/files/${id}`,
  discussion: (id: string) => `/discussions/${id}`,
  event: (id: string) => `/events/${id}`,
  post: (id: string) => `/posts/${id}`,
  message: (conversationId: string, seq: number) =>
    `/conversations/${conversationId}?at=${seq}#message-${seq}`,
  resource: (id: string, comment?: number) =>
    `/resources/${id}${comment === undefined ? "" : `?post=${comment}#post-${comment}`}`,
};
