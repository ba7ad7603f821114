import { adminUrls } from "./urls/admin-urls.ts";
import { conversationUrls } from "./urls/conversation-urls.ts";
import { discussionUrls } from "./urls/discussion-urls.ts";
import { eventUrls } from "./urls/event-urls.ts";
import { resourceUrls } from "./urls/resource-urls.ts";
import { queryString } from "./urls/query-string.ts";

export type SettingsPage =
  | "profile"
  | "account"
  | "security"
  | "tokens"
  | "privacy"
  | "notifications"
  | "appearance"
  | "data";

/** All addresses of the web layer. Other code does not concatenate addresses. */
export const urls = {
  home: (at: { tab?: string; span?: string; after?: string } = {}) => `/${queryString(at)}`,
  welcome: (at: { step?: number; next?: string; missed?: string; preview?: string } = {}) =>
    `/welcome${queryString(at)}`,
  /** Page with the required profile questions. */
  asked: (at: { next?: string } = {}) => `/asked${queryString(at)}`,
  /** Set-up page of the first admin. */
  setup: (at: { token?: string } = {}) => `/setup${queryString(at)}`,
  setupChecklist: () => "/setup/checklist",
  register: (at: { next?: string; suggest?: string } = {}) => `/register${queryString(at)}`,
  login: (at: { next?: string; after?: string } = {}) => `/login${queryString(at)}`,
  /** Pages of the sign-in: `second-step`, `link`, `ask-link`, `confirm`, `sent`, `email`, `status`. */
  loginPage: (page: string, at: Record<string, string | undefined> = {}) =>
    `/login/${page}${queryString(at)}`,
  /** Redirect to a sign-in provider; with `link`, the provider's account is added to the signed-in one. */
  signInWith: (provider: string, at: { next?: string; link?: string } = {}) =>
    `/login/with/${encodeURIComponent(provider)}${queryString(at)}`,
  logout: () => "/logout",
  resetPassword: (at: { token?: string; sent?: string } = {}) => `/resetPassword${queryString(at)}`,
  /** `as`: shows one's own profile as a guest, a member or a friend sees it. */
  person: (id: string, at: { tab?: string; after?: string; as?: string } = {}) =>
    `/users/${id}${queryString(at)}`,
  personCard: (id: string) => `/users/${id}/card`,
  /** `says-<field>`: filters by a profile field. */
  people: (
    at: {
      search?: string;
      after?: string;
      group?: string;
      location?: string;
      [says: `says-${string}`]: string;
    } = {},
  ) => `/users${queryString(at)}`,
  /** A page of one's own settings, at one of its anchors. */
  settings: (
    id: string,
    page: SettingsPage = "profile",
    anchor?: string,
    at: {
      saved?: string;
      trouble?: string;
      whom?: string;
      until?: number;
      dropped?: string;
      undo?: string | undefined;
    } = {},
  ) =>
    `/users/settings/${id}${page === "profile" ? "" : `/${page}`}${queryString(at)}${anchor ? `#${anchor}` : ""}`,
  editPhoto: (id: string) => `/users/editPhoto/${id}`,
  editHeader: (id: string) => `/users/editHeader/${id}`,
  inviteToGroup: (id: string, at: { invited?: string; after?: string } = {}) =>
    `/users/${id}/invite${queryString(at)}`,
  /** Uploads one's photo or header in the background. */
  sendPicture: (id: string, which: "photo" | "header") => `/users/${id}/picture/${which}`,
  groups: (
    at: {
      tab?: string;
      search?: string;
      topic?: string;
      joinPolicy?: string;
      active?: string;
      sort?: string;
      after?: string;
    } = {},
  ) => `/groups${queryString(at)}`,
  start: (at: { search?: string; after?: string } = {}) => `/new${queryString(at)}`,
  newGroup: () => "/groups/new",
  /** Approval queue of groups, for staff. */
  groupsDesk: () => "/groups/desk",
  group: (
    slug: string,
    at: {
      tab?: string;
      after?: string;
      filter?: string;
      sort?: string;
      tag?: string;
      search?: string;
      who?: string;
      rules?: "all";
    } = {},
  ) => `/groups/${slug}${queryString(at)}`,
  bots: (slug: string) => `/groups/${slug}/manage/bots`,
  bot: (slug: string, id: string, at: { saved?: string } = {}) =>
    `/groups/${slug}/manage/bots/${id}${queryString(at)}`,
  incomingWebhooks: (slug: string) => `/groups/${slug}/manage/webhooks/incoming`,
  incomingWebhook: (slug: string, id: string, at: { saved?: string } = {}) =>
    `/groups/${slug}/manage/webhooks/incoming/${id}${queryString(at)}`,
  /** Address at which other programs post; it is a secret. */
  hook: (token: string) => `/hooks/${token}`,
  groupWebhook: (
    slug: string,
    id: string,
    at: { delivery?: string; state?: string; event?: string; after?: string; saved?: string } = {},
  ) => `/groups/${slug}/manage/webhooks/${id}${queryString(at)}`,
  manageGroup: (
    slug: string,
    part?: string,
    at: { after?: string; search?: string; kept?: string; sort?: string; view?: "decided" | "done" } = {},
  ) => `/groups/${slug}/manage${part ? `/${part}` : ""}${queryString(at)}`,
  /**
   * Appeal against a ban. The address contains the group's id, since a banned person may not be allowed to
   * see the group's name.
   */
  groupAppeal: (id: string) => `/groups/${id}/appeal`,
  /** All join requests as a CSV file. */
  groupRequestsFile: (slug: string) => `/groups/${slug}/manage/requests/file`,
  invite: (token: string) => `/invite/${token}`,
  newDiscussion: (slug: string) => `/groups/${slug}/new`,
  whoCanBeCalled: (place: string, typed: string) => `/who-can-be-called${queryString({ place, typed })}`,
  whoCanBeWrittenTo: (typed: string) => `/who-can-be-written-to${queryString({ typed })}`,
  liveTicket: () => "/live/ticket",
  searchKey: () => "/search/key",
  liveShell: (conversations: boolean) => `/live/shell${conversations ? "?conversations" : ""}`,
  notifications: (at: { tab?: string | undefined; after?: string; more?: string } = {}) =>
    `/notifications${queryString(at)}`,
  /** Redirects from a notification to its subject. */
  notification: (id: string) => `/notifications/${id}`,
  notificationsNow: (tab: string) => `/notifications/now${queryString({ tab })}`,
  announcement: (id: string) => `/announcements/${id}`,
  /** Form for an announcement to everybody or, with `group`, to the members of a group. */
  newAnnouncement: (at: { group?: string } = {}) => `/announcements/new${queryString(at)}`,
  bookmarks: (at: { after?: string } = {}) => `/bookmarks${queryString(at)}`,
  drafts: (at: { after?: string } = {}) => `/drafts${queryString(at)}`,
  keepDraft: () => "/drafts/keep",
  draftNow: (place: string) => `/drafts/now${queryString({ place })}`,
  friends: (at: { tab?: string; search?: string; sort?: string; after?: string } = {}) =>
    `/myFriends${queryString(at)}`,
  /**
   * Current data of a tab of the friends page, for an open page; `search` is the query string of the page's
   * address.
   */
  friendsNow: (search: string) => `/myFriends/now${search}`,
  reportPost: (id: string) => `/posts/${id}/report`,
  /**
   * Form to report a person. The address has a prefix of its own, so that the form's translations are not
   * loaded with other pages.
   */
  reportPerson: (id: string) => `/report/users/${id}`,
  reportResource: (id: string) => `/report/resources/${id}`,
  reportGroup: (id: string) => `/report/groups/${id}`,
  /** Appeals the removal of one's own post. */
  appealRemoval: (id: string) => `/appeal/posts/${id}`,
  /** Appeals the removal of one's own resource. */
  appealResource: (id: string) => `/appeal/resources/${id}`,
  /** Reports, for moderators of the site or of groups. */
  moderation: (
    at: {
      tab?: string;
      sort?: string;
      kind?: string | undefined;
      category?: string | undefined;
      assigned?: string | undefined;
      age?: string;
      group?: string;
      after?: string;
    } = {},
  ) => `/moderation${queryString(at)}`,
  moderationNow: (at: { group?: string | undefined } = {}) => `/moderation/now${queryString(at)}`,
  responseTimes: () => "/moderation/response-times",
  case: (id: string) => `/moderation/${id}`,
  /** Redirects to the report's case. */
  report: (id: string) => `/moderation/${id}`,
  /** Reports that the viewer made. */
  ownReports: (at: { after?: string } = {}) => `/reports${queryString(at)}`,
  /** `saved`: id of a saved search, which is opened with the newest results first. */
  search: (at: { q?: string; page?: number; saved?: string } = {}) => `/search${queryString(at)}`,
  rules: () => "/rules",
  privacy: () => "/privacy",
  about: () => "/about",
  logo: (uploadId: string, face = "picture") => `/logo/${uploadId}/${face}`,
  /** Statistics of moderation actions. */
  transparency: () => "/transparency",
  ground: (style: string) => `/grounds/${style}.svg`,
  picture: (uploadId: string) => `/files/pictures/${uploadId}`,
  addPicture: (place: string) => `/uploads/pictures${queryString({ place })}`,
  evidence: (fileId: string) => `/files/evidence/${fileId}`,
  exported: (id: string) => `/files/exports/${id}`,
  file: (uploadId: string) => `/files/${uploadId}`,
  thumbnail: (uploadId: string) => `/files/${uploadId}/thumbnail`,
  display: () => "/display",
  mailbox: (at: { to?: string } = {}) => `/dev/mail${queryString(at)}`,
  /** Unsubscribes the person who got the mail with this link. */
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  mailIn: (id: string) => `/dev/mail/${id}`,
  sitemap: () => "/sitemap.xml",
  /** A file of the sitemap, from the entry with this id. */
  sitemapFile: (kind: string, from: string) => `/sitemap/${kind}.xml${queryString({ from })}`,
  latestBuild: () => "/builds/latest.json",
  ...discussionUrls,
  ...eventUrls,
  ...conversationUrls,
  ...resourceUrls,
  ...adminUrls,
} as const;

/**
 * Address of the Atom feed of a public page. `page` is the address of the page, or `""` for the community's
 * feed.
 */
export const feedUrl = (page: string) => `${page}/feed.atom`;

/** Returns the path to open after signing in: a path on this site, or home for any other address. */
export function ownPathOrHome(wanted: string | null | undefined): string {
  if (!wanted || !wanted.startsWith("/") || wanted.startsWith("//") || /[\\\u0000-\u001f]/.test(wanted))
    return urls.home();
  return wanted;
}
