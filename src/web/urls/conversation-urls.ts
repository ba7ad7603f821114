import { queryString } from "./query-string.ts";

/**
 * Which messages of a conversation to show: those before, after or around one, or the latest. Without any of
 * these, the page starts at the read position.
 */
type MessageWindow = {
  before?: number | undefined;
  after?: number | undefined;
  at?: number | undefined;
  latest?: 1;
};

/** Addresses of conversations and messages. */
export const conversationUrls = {
  /**
   * List of conversations. `next` redirects to a conversation with new messages, if there is any. `from` is
   * the current conversation, which is tried last.
   */
  messages: (
    at: {
      tab?: string;
      after?: string;
      to?: string;
      draft?: string;
      begin?: string;
      menu?: string;
      search?: string;
      in?: string;
      next?: "unread";
      from?: string | undefined;
    } = {},
  ) => `/messages${queryString(at)}`,
  /** `before`, `after` and `at` choose the messages on the page; `message` is the anchor of one of them. */
  conversation: (id: string, { message, ...at }: MessageWindow & { message?: number | undefined } = {}) =>
    `/conversations/${id}${queryString(at)}${message === undefined ? "" : `#message-${message}`}`,
  /**
   * A conversation with an action opened on a message: `more`, `react`, `reply` or `edit`, with the
   * message's id.
   */
  conversationDoing: (id: string, message: number, at: MessageWindow, doing: Record<string, string>) =>
    `/conversations/${id}${queryString({ ...at, ...doing })}#${doing["reply"] ? "write" : `message-${message}`}`,
  sentAlong: (id: string, at: { what?: string | undefined; after?: string } = {}) =>
    `/conversations/${id}/files${queryString(at)}`,
  reportMessages: (id: string, at: { message?: string; before?: number } = {}) =>
    `/conversations/${id}/report${queryString(at)}`,
  sendMessage: (conversationId: string) => `/conversations/${conversationId}/messages`,
  /** Current data of the conversation, for an open page; `read` is set if its reader is at the end. */
  conversationNow: (id: string, at: MessageWindow & { read?: number | undefined }) =>
    `/conversations/${id}/now${queryString(at)}`,
} as const;
