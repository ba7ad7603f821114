import type { Db, Tx } from "#platform/database";
import type { Log } from "#platform/log";
import type { Signer } from "#platform/signing";
import type { SiteSettings } from "#community/settings";

/** The part of the app context that mail needs. */
export type MailHouse = {
  db: Db;
  database: { inTransaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T> };
  settings: { get: () => Promise<SiteSettings> };
  signer: Signer;
  origin: () => string;
  log: Log;
  /** The address for replies, without its tag; null if replies are disabled. */
  replyBox: string | null;
};

export const links = {
  discussion: (house: MailHouse, id: string, post?: number) =>
    `${house.origin()}/discussions/${id}${post === undefined ? "" : `?post=${post}#post-${post}`}`,
  conversation: (house: MailHouse, id: string) => `${house.origin()}/conversations/${id}`,
  group: (house: MailHouse, slug: string) => `${house.origin()}/groups/${slug}`,
  groups: (house: MailHouse) => `${house.origin()}/groups`,
  groupsDesk: (house: MailHouse) => `${house.origin()}/groups/desk`,
  keptOut: (house: MailHouse, slug: string) => `${house.origin()}/groups/${slug}/manage/members`,
  appeal: (house: MailHouse, groupId: string) => `${house.origin()}/groups/${groupId}/appeal`,
  requests: (house: MailHouse, slug: string) => `${house.origin()}/groups/${slug}/manage/requests`,
  firstPostsIn: (house: MailHouse, slug: string) => `${house.origin()}/groups/${slug}/manage/posts`,
  firstPosts: (house: MailHouse) => `${house.origin()}/moderation?tab=posts`,
  person: (house: MailHouse, id: string) => `${house.origin()}/users/${id}`,
  accountsWaiting: (house: MailHouse) => `${house.origin()}/admin/people?state=pending_approval`,
  friendRequests: (house: MailHouse) => `${house.origin()}/myFriends?tab=received`,
  resource: (house: MailHouse, id: string) => `${house.origin()}/resources/${id}`,
  announcement: (house: MailHouse, id: string) => `${house.origin()}/announcements/${id}`,
  report: (house: MailHouse, id: string) => `${house.origin()}/moderation/${id}`,
  savedSearch: (house: MailHouse, id: string) => `${house.origin()}/search?saved=${id}`,
  ownReports: (house: MailHouse) => `${house.origin()}/reports`,
  notification: (house: MailHouse, id: string) => `${house.origin()}/notifications/${id}`,
  latest: (house: MailHouse) => `${house.origin()}/?tab=latest`,
  settings: (house: MailHouse, personId: string) => `${house.origin()}/users/settings/${personId}#notify`,
  unsubscribe: (house: Pick<MailHouse, "origin">, token: string) => `${house.origin()}/unsubscribe/${token}`,
};
