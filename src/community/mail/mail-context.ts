import type { Db, Tx } from "#platform/database";
import type { Log } from "#platform/log";
import type { Signer } from "#platform/signing";
import type { SiteSettings } from "#community/settings";

/** The part of the app context that mail needs. */
export type MailContext = {
  db: Db;
  database: { inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T> };
  settings: { get: () => Promise<SiteSettings> };
  signer: Signer;
  origin: () => string;
  log: Log;
  /** The address for replies, without its tag; null if replies are disabled. */
  replyBox: string | null;
};

export const mailLinks = {
  discussion: (app: MailContext, id: string, post?: number) =>
    `${app.origin()}/discussions/${id}${post === undefined ? "" : `?post=${post}#post-${post}`}`,
  conversation: (app: MailContext, id: string) => `${app.origin()}/conversations/${id}`,
  group: (app: MailContext, slug: string) => `${app.origin()}/groups/${slug}`,
  groups: (app: MailContext) => `${app.origin()}/groups`,
  groupsDesk: (app: MailContext) => `${app.origin()}/groups/desk`,
  banAppeals: (app: MailContext, slug: string) => `${app.origin()}/groups/${slug}/manage/members`,
  appeal: (app: MailContext, groupId: string) => `${app.origin()}/groups/${groupId}/appeal`,
  requests: (app: MailContext, slug: string) => `${app.origin()}/groups/${slug}/manage/requests`,
  firstPostsIn: (app: MailContext, slug: string) => `${app.origin()}/groups/${slug}/manage/posts`,
  firstPosts: (app: MailContext) => `${app.origin()}/moderation?tab=posts`,
  person: (app: MailContext, id: string) => `${app.origin()}/users/${id}`,
  accountsWaiting: (app: MailContext) => `${app.origin()}/admin/people?state=pending_approval`,
  /** The webhooks of a group, or with an empty id those of the site. */
  webhooks: (app: MailContext, groupId: string) =>
    `${app.origin()}${groupId ? `/groups/${groupId}/manage/webhooks` : "/admin/webhooks"}`,
  friendRequests: (app: MailContext) => `${app.origin()}/myFriends?tab=received`,
  resource: (app: MailContext, id: string) => `${app.origin()}/resources/${id}`,
  event: (app: MailContext, id: string) => `${app.origin()}/events/${id}`,
  datePoll: (app: MailContext, id: string) => `${app.origin()}/events/polls/${id}`,
  announcement: (app: MailContext, id: string) => `${app.origin()}/announcements/${id}`,
  report: (app: MailContext, id: string) => `${app.origin()}/moderation/${id}`,
  savedSearch: (app: MailContext, id: string) => `${app.origin()}/search?saved=${id}`,
  ownReports: (app: MailContext) => `${app.origin()}/reports`,
  notification: (app: MailContext, id: string) => `${app.origin()}/notifications/${id}`,
  latest: (app: MailContext) => `${app.origin()}/?tab=latest`,
  settings: (app: MailContext, personId: string) =>
    `${app.origin()}/users/settings/${personId}/notifications#notify`,
  unsubscribe: (app: Pick<MailContext, "origin">, token: string) => `${app.origin()}/unsubscribe/${token}`,
};
