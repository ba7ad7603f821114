import { queryString } from "./query-string.ts";

/**
 * Which messages of a conversation: before, after or around one, or the latest; without any, from the read
 * position.
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
   * `next`: redirects to a conversation with new messages, if there is one; `from` is the current one, which
   * comes last.
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
  /** `before`, `after` and `at` choose its messages; `message` is the anchor of one among them. */
  conversation: (id: string, { message, ...at }: MessageWindow & { message?: number | undefined } = {}) =>
    `/conversations/${id}${queryString(at)}${message === undefined ? "" : `#message-${message}`}`,
  /** With an action opened on a message: `more`, `react`, `reply` or `edit` and the message's id. */
  conversationDoing: (id: string, message: number, at: MessageWindow, doing: Record<string, string>) =>
    `/conversations/${id}${queryString({ ...at, ...doing })}#${doing["reply"] ? "write" : `message-${message}`}`,
  sentAlong: (id: string, at: { what?: string | undefined; after?: string } = {}) =>
    `/conversations/${id}/files${queryString(at)}`,
  reportMessages: (id: string, at: { message?: string; before?: number } = {}) =>
    `/conversations/${id}/report${queryString(at)}`,
  sendMessage: (conversationId: string) => `/conversations/${conversationId}/messages`,
  /** Current state of the conversation, for an open page; `read` when its reader is at the end. */
  conversationNow: (id: string, at: MessageWindow & { read?: number | undefined }) =>
    `/conversations/${id}/now${queryString(at)}`,
} as const;
