/** Every address of the web layer, defined once. No code concatenates them itself. */
const queryString = (values: Record<string, string | number | undefined>) => {
  const given = Object.entries(values).filter(
    (pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== "",
  );
  return given.length === 0
    ? ""
    : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
};

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

export const urls = {
  home: (at: { tab?: string; span?: string; after?: string } = {}) => `/${queryString(at)}`,
  welcome: (at: { step?: number; next?: string; missed?: string; preview?: string } = {}) =>
    `/welcome${queryString(at)}`,
  /** Required profile questions. */
  asked: (at: { next?: string } = {}) => `/asked${queryString(at)}`,
  register: (at: { next?: string; suggest?: string } = {}) => `/register${queryString(at)}`,
  login: (at: { next?: string; after?: string } = {}) => `/login${queryString(at)}`,
  /** Pages of the sign-in: `second-step`, `link`, `ask-link`, `confirm`, `sent`, `email`, `status`. */
  loginPage: (page: string, at: Record<string, string | undefined> = {}) =>
    `/login/${page}${queryString(at)}`,
  /** To a sign-in provider; with `link` its account is added to the signed-in one. */
  signInWith: (provider: string, at: { next?: string; link?: string } = {}) =>
    `/login/with/${encodeURIComponent(provider)}${queryString(at)}`,
  logout: () => "/logout",
  resetPassword: (at: { token?: string; sent?: string } = {}) => `/resetPassword${queryString(at)}`,
  /** `as`: views one's own profile as a guest, a member or a friend. */
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
  settings: (
    id: string,
    section?: string,
    at: {
      saved?: string;
      trouble?: string;
      whom?: string;
      until?: number;
      dropped?: string;
      undo?: string | undefined;
    } = {},
  ) => `/users/settings/${id}${queryString(at)}${section ? `#${section}` : ""}`,
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
      door?: string;
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
  manageGroup: (
    slug: string,
    part?: string,
    at: { after?: string; search?: string; kept?: string; view?: "decided" | "done" } = {},
  ) => `/groups/${slug}/manage${part ? `/${part}` : ""}${queryString(at)}`,
  /** For banned people: by id, since they may not be allowed to see the group's name. */
  groupAppeal: (id: string) => `/groups/${id}/appeal`,
  /** For admins. */
  inspectGroup: (id: string, at: { discussion?: string; page?: number; after?: string } = {}) =>
    `/admin/groups/${id}${queryString(at)}`,
  /** All join requests as a CSV file. */
  groupRequestsFile: (slug: string) => `/groups/${slug}/manage/requests/file`,
  invite: (token: string) => `/invite/${token}`,
  newDiscussion: (slug: string) => `/groups/${slug}/new`,
  /**
   * `next`: redirects to an unread discussion, if there is one; `from` is the current one, which comes last.
   */
  discussions: (at: { after?: string; next?: "unread"; from?: string | undefined } = {}) =>
    `/discussions${queryString(at)}`,
  /** `plain`: unresolved mentions of the post just written. */
  /** `to`: the last page of those shown together. */
  discussion: (id: string, at: { page?: number; to?: number; post?: number; plain?: string } = {}) =>
    `/discussions/${id}${queryString(at)}${at.post === undefined ? "" : `#post-${at.post}`}`,
  /**
   * The page of a post with an action opened on it: `reply`, `edit`, `remove` or `show` and the post's id.
   */
  discussionDoing: (id: string, post: number, doing: Record<string, string | number>) =>
    `/discussions/${id}${urls.postHere(post, doing)}`,
  /**
   * The same, relative to the page of its discussion or resource: full addresses would add 4 KB to a page of
   * twenty posts.
   */
  postHere: (post: number, doing: Record<string, string | number> = {}): string =>
    `${queryString({ post, ...doing })}#${doing["reply"] ? "reply" : `post-${post}`}`,
  manageDiscussion: (id: string, at: { do?: string; posts?: string; post?: string } = {}) =>
    `/discussions/${id}/manage${queryString(at)}`,
  /** Reports the read position; with `upTo`, for pages without scripts. */
  seen: (id: string, upTo?: number) => `/discussions/${id}/seen${queryString({ upTo })}`,
  /** Permanent address of a post, wherever it moves. */
  post: (postId: string, at: { do?: "edit" } = {}) => `/posts/${postId}${queryString(at)}`,
  /** Earlier revisions of a post. */
  history: (postId: string, at: { after?: string } = {}) => `/posts/${postId}/history${queryString(at)}`,
  whoCanBeCalled: (place: string, typed: string) => `/who-can-be-called${queryString({ place, typed })}`,
  whoCanBeWrittenTo: (typed: string) => `/who-can-be-written-to${queryString({ typed })}`,
  sendReply: (discussionId: string) => `/discussions/${discussionId}/replies`,
  /** Current state of the discussion, for an open page. */
  discussionNow: (id: string, at: { page: number; to: number }) => `/discussions/${id}/now${queryString(at)}`,
  liveTicket: () => "/live/ticket",
  searchKey: () => "/search/key",
  liveShell: (conversations: boolean) => `/live/shell${conversations ? "?conversations" : ""}`,
  onePost: (id: string) => `/posts/${id}/shown`,
  similar: (title: string) => `/similar${queryString({ title })}`,
  notifications: (at: { tab?: string | undefined; after?: string; more?: string } = {}) =>
    `/notifications${queryString(at)}`,
  /** Redirects from a notification to its subject. */
  notification: (id: string) => `/notifications/${id}`,
  notificationsNow: (tab: string) => `/notifications/now${queryString({ tab })}`,
  announcement: (id: string) => `/announcements/${id}`,
  /** To everybody, or to the members of a group. */
  newAnnouncement: (at: { group?: string } = {}) => `/announcements/new${queryString(at)}`,
  bookmarks: (at: { after?: string } = {}) => `/bookmarks${queryString(at)}`,
  drafts: (at: { after?: string } = {}) => `/drafts${queryString(at)}`,
  keepDraft: () => "/drafts/keep",
  draftNow: (place: string) => `/drafts/now${queryString({ place })}`,
  friends: (at: { tab?: string; search?: string; sort?: string; after?: string } = {}) =>
    `/myFriends${queryString(at)}`,
  /** Current state of the tab, for an open page; `search` is the query string of its address. */
  friendsNow: (search: string) => `/myFriends/now${search}`,
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
  resources: (
    at: {
      kind?: string;
      tag?: string;
      group?: string;
      collection?: string;
      keeper?: string;
      language?: string;
      year?: number;
      dead?: string;
      mine?: string;
      search?: string;
      sort?: string;
      after?: string;
    } = {},
  ) => `/resources${queryString(at)}`,
  newResource: (at: { kind?: string; group?: string; post?: string | undefined } = {}) =>
    `/resources/new${queryString(at)}`,
  /** Adds files; `files` are those already uploaded. */
  newFiles: (at: { group?: string; files?: string } = {}) => `/resources/new/files${queryString(at)}`,
  /** `after` and `post` choose the comments: those after one, or those around it. */
  /** `page`: a page of the file, shown as text. */
  resource: (
    id: string,
    at: { page?: number; after?: number; post?: number | undefined; plain?: string } = {},
  ) => `/resources/${id}${queryString(at)}${at.post === undefined ? "" : `#post-${at.post}`}`,
  /** Current comments, for an open page; `read` when the reader is at the end. */
  resourceNow: (id: string, at: { after?: number | undefined; read?: number | undefined } = {}) =>
    `/resources/${id}/now${queryString(at)}`,
  newShelf: (at: { group?: string } = {}) => `/resources/shelves/new${queryString(at)}`,
  /** Page where a collection is edited; the library is where it is read. */
  shelf: (id: string) => `/resources/shelves/${id}`,
  replaceFile: (id: string) => `/resources/${id}/file`,
  editResource: (id: string) => `/resources/${id}/edit`,
  /** Earlier versions; with `version`, one of them. */
  resourceVersions: (id: string, at: { version?: number; after?: string } = {}) =>
    `/resources/${id}/versions${queryString(at)}`,
  /** Site settings; each setting is an anchor. */
  siteSettings: (at: { search?: string; saved?: string } = {}, key?: string) =>
    `/admin/settings${queryString(at)}${key ? `#${key}` : ""}`,
  /** Profile fields; with `field`, its form is open. */
  profileFields: (at: { field?: string } = {}) => `/admin/profile-fields${queryString(at)}`,
  reportPost: (id: string) => `/posts/${id}/report`,
  /** An address of its own, so that its translations load with no other page. */
  reportPerson: (id: string) => `/report/users/${id}`,
  reportResource: (id: string) => `/report/resources/${id}`,
  reportGroup: (id: string) => `/report/groups/${id}`,
  /** Appeals the removal of one's own post. */
  appealRemoval: (id: string) => `/appeal/posts/${id}`,
  /** Appeals the removal of one's own resource. */
  appealResource: (id: string) => `/appeal/resources/${id}`,
  /** Reports, for moderators of the site or of groups. */
  moderation: (at: { tab?: string; after?: string } = {}) => `/moderation${queryString(at)}`,
  report: (id: string) => `/moderation/${id}`,
  /** Reports that the viewer made. */
  ownReports: (at: { after?: string } = {}) => `/reports${queryString(at)}`,
  /** API keys and roles, and data tables. */
  programs: (at: { show?: string } = {}) => `/admin/programs${queryString(at)}`,
  extensions: () => "/admin/extensions",
  flows: () => "/admin/automations",
  /**
   * One automation; `at`: the trigger or step whose form is open; `add` and `kind`: one to be added to a
   * list.
   */
  flow: (id: string, at: { at?: string; add?: string; kind?: string; saved?: string } = {}) =>
    `/admin/automations/${id}${queryString(at)}`,
  flowRuns: (id: string, at: { after?: string } = {}) => `/admin/automations/${id}/runs${queryString(at)}`,
  flowRun: (id: string, runId: string, at: { from?: string } = {}) =>
    `/admin/automations/${id}/runs/${runId}${queryString(at)}`,
  tables: () => "/admin/data",
  table: (name: string, at: { from?: number | undefined; where?: string | undefined } = {}) =>
    `/admin/data/${encodeURIComponent(name)}${queryString(at)}`,
  /** One record of a table; without an id, a new one. Ids can be any text, so they are a query parameter. */
  record: (table: string, at: { id?: string; saved?: string } = {}) =>
    `/admin/data/${encodeURIComponent(table)}/record${queryString(at)}`,
  /** Channels from a name on, and their scheduled messages. */
  channels: (at: { after?: string; waiting?: string } = {}) => `/admin/messages${queryString(at)}`,
  /** All accounts, for admins; `who` opens one in its form. */
  accounts: (at: { search?: string; state?: string; after?: string; who?: string } = {}) =>
    `/admin/people${queryString(at)}`,
  /** Admin overview. */
  overview: () => "/admin",
  /** Failed event handlers and jobs. */
  failures: () => "/admin/failures",
  /** Audit log; `by`: the actor, by username or id. */
  audit: (at: { by?: string; part?: string | undefined; after?: string } = {}) =>
    `/admin/audit${queryString(at)}`,
  /** Mail templates of API clients, and one of them; `v.<name>` is the value of a placeholder. */
  mailTemplates: () => "/admin/templates",
  mailTemplate: (id: string, at: { saved?: string; tried?: string; [place: `v.${string}`]: string } = {}) =>
    `/admin/templates/${id}${queryString(at)}`,
  /** Push devices and templates: one of them in its form, or the result of a test. */
  push: (at: { template?: string; tried?: string } = {}) => `/admin/push${queryString(at)}`,
  /** Log messages of API clients and browsers; days are written `2026-05-04`. */
  logs: (
    at: {
      search?: string;
      logger?: string;
      level?: string;
      from?: string;
      until?: string;
      after?: string;
    } = {},
  ) => `/admin/logs${queryString(at)}`,
  /** Current log messages, for an open page; `search` is the query string of its address. */
  logsNow: (search: string) => `/admin/logs/now${search}`,
  /** Files of API clients: a directory, or one file. */
  programFiles: (at: { path?: string; from?: number } = {}) => `/admin/files${queryString(at)}`,
  imports: (at: { after?: string } = {}) => `/admin/imports${queryString(at)}`,
  importRun: (id: string) => `/admin/imports/${id}`,
  importReport: (id: string) => `/admin/imports/${id}/report`,
  /** `saved`: a saved search, the latest first. */
  search: (at: { q?: string; page?: number; saved?: string } = {}) => `/search${queryString(at)}`,
  /** Searches without results, for admins. */
  searchMisses: () => "/admin/not-found",
  rules: () => "/rules",
  privacy: () => "/privacy",
  about: () => "/about",
  logo: (uploadId: string, face = "picture") => `/logo/${uploadId}/${face}`,
  /** Numbers of moderation actions. */
  transparency: () => "/transparency",
  ground: (style: string) => `/grounds/${style}.svg`,
  picture: (uploadId: string) => `/files/pictures/${uploadId}`,
  addPicture: (place: string) => `/uploads/pictures${queryString({ place })}`,
  exported: (id: string) => `/files/exports/${id}`,
  file: (uploadId: string) => `/files/${uploadId}`,
  thumbnail: (uploadId: string) => `/files/${uploadId}/thumbnail`,
  display: () => "/display",
  mailbox: (at: { to?: string } = {}) => `/dev/mail${queryString(at)}`,
  /** Unsubscribes the holder of a link in a mail. */
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  mailIn: (id: string) => `/dev/mail/${id}`,
  latestBuild: () => "/builds/latest.json",
} as const;

/** The feed of a public group or discussion, by the address of its page. */
export const feedUrl = (page: string) => `${page}/feed.atom`;

/** Where to go after signing in: only a path of our own, never another origin. */
export function ownPathOrHome(wanted: string | null | undefined): string {
  if (!wanted || !wanted.startsWith("/") || wanted.startsWith("//") || /[\\\u0000-\u001f]/.test(wanted))
    return urls.home();
  return wanted;
}
