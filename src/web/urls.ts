/** Every address of the web, once. Nobody glues one together. */
const query = (values: Record<string, string | number | undefined>) => {
  const given = Object.entries(values).filter((pair): pair is [string, string | number] => pair[1] !== undefined && pair[1] !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
};

/** Which messages of a conversation: those before or after one, or around it, or the latest; without any, where one stopped. */
type Window = { before?: number | undefined; after?: number | undefined; at?: number | undefined; latest?: 1 };

export const urls = {
  home: (at: { tab?: string; span?: string; after?: string } = {}) => `/${query(at)}`,
  welcome: (at: { step?: number; next?: string; missed?: string; preview?: string } = {}) => `/welcome${query(at)}`,
  /** What is asked of everybody, before the rest. */
  asked: (at: { next?: string } = {}) => `/asked${query(at)}`,
  register: (at: { next?: string; suggest?: string } = {}) => `/register${query(at)}`,
  login: (at: { next?: string; after?: string } = {}) => `/login${query(at)}`,
  /** Steps beside signing in: `second-step`, `link`, `ask-link`, `confirm`, `sent`, `email`, `status`. */
  loginPage: (page: string, at: Record<string, string | undefined> = {}) => `/login/${page}${query(at)}`,
  /** To the sign-in of another house; with `link` its account is added to the one that is signed in. */
  signInWith: (provider: string, at: { next?: string; link?: string } = {}) => `/login/with/${encodeURIComponent(provider)}${query(at)}`,
  logout: () => "/logout",
  resetPassword: (at: { token?: string; sent?: string } = {}) => `/resetPassword${query(at)}`,
  /** `as`: one's own page as a guest, a member or a friend reads it. */
  person: (id: string, at: { tab?: string; after?: string; as?: string } = {}) => `/users/${id}${query(at)}`,
  personCard: (id: string) => `/users/${id}/card`,
  /** `says-<field>`: what people say in a field of their profiles. */
  people: (at: { search?: string; after?: string; group?: string; location?: string; [says: `says-${string}`]: string } = {}) =>
    `/users${query(at)}`,
  settings: (
    id: string,
    section?: string,
    at: { saved?: string; trouble?: string; whom?: string; until?: number; dropped?: string; undo?: string | undefined } = {},
  ) => `/users/settings/${id}${query(at)}${section ? `#${section}` : ""}`,
  editPhoto: (id: string) => `/users/editPhoto/${id}`,
  editHeader: (id: string) => `/users/editHeader/${id}`,
  inviteToGroup: (id: string, at: { invited?: string; after?: string } = {}) => `/users/${id}/invite${query(at)}`,
  /** Takes one's photo or header in the background. */
  sendPicture: (id: string, which: "photo" | "header") => `/users/${id}/picture/${which}`,
  groups: (at: { tab?: string; search?: string; topic?: string; door?: string; active?: string; sort?: string; after?: string } = {}) =>
    `/groups${query(at)}`,
  start: (at: { search?: string; after?: string } = {}) => `/new${query(at)}`,
  newGroup: () => "/groups/new",
  /** What of groups waits for staff. */
  groupsDesk: () => "/groups/desk",
  group: (
    slug: string,
    at: { tab?: string; after?: string; filter?: string; sort?: string; tag?: string; search?: string; who?: string; rules?: "all" } = {},
  ) => `/groups/${slug}${query(at)}`,
  manageGroup: (slug: string, part?: string, at: { after?: string; search?: string; kept?: string; view?: "decided" | "done" } = {}) =>
    `/groups/${slug}/manage${part ? `/${part}` : ""}${query(at)}`,
  /** For who is kept out: by the id, since the name in the address may not be theirs to know. */
  groupAppeal: (id: string) => `/groups/${id}/appeal`,
  /** For admins. */
  inspectGroup: (id: string, at: { discussion?: string; page?: number; after?: string } = {}) => `/admin/groups/${id}${query(at)}`,
  /** All requests to join a group, as a table. */
  groupRequestsFile: (slug: string) => `/groups/${slug}/manage/requests/file`,
  invite: (token: string) => `/invite/${token}`,
  newDiscussion: (slug: string) => `/groups/${slug}/new`,
  /** `next`: to what the viewer has not read, as far as there is something; the discussion they come `from` is the last of that. */
  discussions: (at: { after?: string; next?: "unread"; from?: string | undefined } = {}) => `/discussions${query(at)}`,
  /** `plain`: names in what was just written that call nobody. */
  /** `to`: the page up to which it is read on. */
  discussion: (id: string, at: { page?: number; to?: number; post?: number; plain?: string } = {}) =>
    `/discussions/${id}${query(at)}${at.post === undefined ? "" : `#post-${at.post}`}`,
  /** The page of a post, with one thing being done to it: `reply`, `edit`, `remove` or `show` and the post's id. */
  discussionDoing: (id: string, post: number, doing: Record<string, string | number>) => `/discussions/${id}${urls.postHere(post, doing)}`,
  /** The same from the page of its discussion, or of its resource: in twenty posts the way to where one is already would be 4 KB. */
  postHere: (post: number, doing: Record<string, string | number> = {}): string =>
    `${query({ post, ...doing })}#${doing["reply"] ? "reply" : `post-${post}`}`,
  manageDiscussion: (id: string, at: { do?: string; posts?: string; post?: string } = {}) => `/discussions/${id}/manage${query(at)}`,
  /** Told by the page how far somebody has read; with `upTo`, asked for by one without scripts. */
  seen: (id: string, upTo?: number) => `/discussions/${id}/seen${query({ upTo })}`,
  /** The lasting address of a post, wherever it moves. */
  post: (postId: string, at: { do?: "edit" } = {}) => `/posts/${postId}${query(at)}`,
  /** What a post said before it was changed. */
  history: (postId: string, at: { after?: string } = {}) => `/posts/${postId}/history${query(at)}`,
  whoCanBeCalled: (place: string, typed: string) => `/who-can-be-called${query({ place, typed })}`,
  whoCanBeWrittenTo: (typed: string) => `/who-can-be-written-to${query({ typed })}`,
  sendReply: (discussionId: string) => `/discussions/${discussionId}/replies`,
  /** The same discussion as it is now, for a page that stands open. */
  discussionNow: (id: string, at: { page: number; to: number }) => `/discussions/${id}/now${query(at)}`,
  liveTicket: () => "/live/ticket",
  searchKey: () => "/search/key",
  liveShell: (conversations: boolean) => `/live/shell${conversations ? "?conversations" : ""}`,
  onePost: (id: string) => `/posts/${id}/shown`,
  similar: (title: string) => `/similar${query({ title })}`,
  notifications: (at: { tab?: string | undefined; after?: string; more?: string } = {}) => `/notifications${query(at)}`,
  /** The way from a notification to what it is about. */
  notification: (id: string) => `/notifications/${id}`,
  notificationsNow: (tab: string) => `/notifications/now${query({ tab })}`,
  announcement: (id: string) => `/announcements/${id}`,
  /** To everybody, or to the members of a group. */
  newAnnouncement: (at: { group?: string } = {}) => `/announcements/new${query(at)}`,
  bookmarks: (at: { after?: string } = {}) => `/bookmarks${query(at)}`,
  drafts: (at: { after?: string } = {}) => `/drafts${query(at)}`,
  keepDraft: () => "/drafts/keep",
  draftNow: (place: string) => `/drafts/now${query({ place })}`,
  friends: (at: { tab?: string; search?: string; sort?: string; after?: string } = {}) => `/myFriends${query(at)}`,
  /** The same tab as it is now, for a page that stands open; `search` is that of its address. */
  friendsNow: (search: string) => `/myFriends/now${search}`,
  /** `next`: to the conversation that has something new, as far as there is one; that which the viewer comes `from` is the last. */
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
  ) => `/messages${query(at)}`,
  /** `before`, `after` and `at` say which of its messages; `message` leads to one that is among them. */
  conversation: (id: string, { message, ...at }: Window & { message?: number | undefined } = {}) =>
    `/conversations/${id}${query(at)}${message === undefined ? "" : `#message-${message}`}`,
  /** With one thing being done to a message: `more`, `react`, `reply` or `edit` and the message's id. */
  conversationDoing: (id: string, message: number, at: Window, doing: Record<string, string>) =>
    `/conversations/${id}${query({ ...at, ...doing })}#${doing["reply"] ? "write" : `message-${message}`}`,
  sentAlong: (id: string, at: { what?: string | undefined; after?: string } = {}) => `/conversations/${id}/files${query(at)}`,
  reportMessages: (id: string, at: { message?: string; before?: number } = {}) => `/conversations/${id}/report${query(at)}`,
  sendMessage: (conversationId: string) => `/conversations/${conversationId}/messages`,
  /** The same conversation as it is now, for a page that stands open; `read` when its reader is at the end. */
  conversationNow: (id: string, at: Window & { read?: number | undefined }) => `/conversations/${id}/now${query(at)}`,
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
  ) => `/resources${query(at)}`,
  newResource: (at: { kind?: string; group?: string; post?: string | undefined } = {}) => `/resources/new${query(at)}`,
  /** Where files are added; with those that have come. */
  newFiles: (at: { group?: string; files?: string } = {}) => `/resources/new/files${query(at)}`,
  /** `after` and `post` say which comments: those after one, or those around it. */
  /** `page` is one of the pages of a file, as words. */
  resource: (id: string, at: { page?: number; after?: number; post?: number | undefined; plain?: string } = {}) =>
    `/resources/${id}${query(at)}${at.post === undefined ? "" : `#post-${at.post}`}`,
  /** What is said about it as it is now, for a page that stands open; `read` when the reader is at the end. */
  resourceNow: (id: string, at: { after?: number | undefined; read?: number | undefined } = {}) => `/resources/${id}/now${query(at)}`,
  newShelf: (at: { group?: string } = {}) => `/resources/shelves/new${query(at)}`,
  /** Where a shelf is put in order; it is read in the library. */
  shelf: (id: string) => `/resources/shelves/${id}`,
  replaceFile: (id: string) => `/resources/${id}/file`,
  editResource: (id: string) => `/resources/${id}/edit`,
  /** What it was before; with `version`, one of them. */
  resourceVersions: (id: string, at: { version?: number; after?: string } = {}) => `/resources/${id}/versions${query(at)}`,
  /** What holds for the whole place; each setting is an anchor. */
  siteSettings: (at: { search?: string; saved?: string } = {}, key?: string) => `/admin/settings${query(at)}${key ? `#${key}` : ""}`,
  /** What everybody is asked in their profile; with a field, its form stands open. */
  profileFields: (at: { field?: string } = {}) => `/admin/profile-fields${query(at)}`,
  reportPost: (id: string) => `/posts/${id}/report`,
  /** Under an address of their own: so its words come with no other page. */
  reportPerson: (id: string) => `/report/users/${id}`,
  reportResource: (id: string) => `/report/resources/${id}`,
  reportGroup: (id: string) => `/report/groups/${id}`,
  /** To ask that a post of one's own, which was removed, comes back. */
  appealRemoval: (id: string) => `/appeal/posts/${id}`,
  /** The same of a resource that one keeps. */
  appealResource: (id: string) => `/appeal/resources/${id}`,
  /** What was reported, for those who look after the place or after groups in it. */
  moderation: (at: { tab?: string; after?: string } = {}) => `/moderation${query(at)}`,
  report: (id: string) => `/moderation/${id}`,
  /** What the reader has reported. */
  ownReports: (at: { after?: string } = {}) => `/reports${query(at)}`,
  /** Keys and roles of programs, and their tables. */
  programs: (at: { show?: string } = {}) => `/admin/programs${query(at)}`,
  /** An operator's own code. */
  extensions: () => "/admin/extensions",
  /** What is done by itself. */
  flows: () => "/admin/automations",
  /** One automation; `at`: the trigger or step whose form stands open; `add` and `kind`: one that is to be added to a list. */
  flow: (id: string, at: { at?: string; add?: string; kind?: string; saved?: string } = {}) => `/admin/automations/${id}${query(at)}`,
  flowRuns: (id: string, at: { after?: string } = {}) => `/admin/automations/${id}/runs${query(at)}`,
  flowRun: (id: string, runId: string, at: { from?: string } = {}) => `/admin/automations/${id}/runs/${runId}${query(at)}`,
  tables: () => "/admin/data",
  table: (name: string, at: { from?: number | undefined; where?: string | undefined } = {}) =>
    `/admin/data/${encodeURIComponent(name)}${query(at)}`,
  /** One record of a table; without an id, a new one. Ids can be any text: they stand behind the question mark. */
  record: (table: string, at: { id?: string; saved?: string } = {}) => `/admin/data/${encodeURIComponent(table)}/record${query(at)}`,
  /** Channels of programs, from a name on, and what is scheduled there. */
  channels: (at: { after?: string; waiting?: string } = {}) => `/admin/messages${query(at)}`,
  /** All accounts, for admins; one of them in its form. */
  accounts: (at: { search?: string; state?: string; after?: string; who?: string } = {}) => `/admin/people${query(at)}`,
  /** How the place is doing, and all that admins look after. */
  overview: () => "/admin",
  /** What was to follow from something and has failed, and jobs that have. */
  failures: () => "/admin/failures",
  /** What people with power over others did; `by`: who, by user name or id. */
  audit: (at: { by?: string; part?: string | undefined; after?: string } = {}) => `/admin/audit${query(at)}`,
  /** Templates of the mail that programs send, and one of them; `v.<name>` is what stands in a place of it. */
  mailTemplates: () => "/admin/templates",
  mailTemplate: (id: string, at: { saved?: string; tried?: string; [place: `v.${string}`]: string } = {}) =>
    `/admin/templates/${id}${query(at)}`,
  /** Devices of programs and templates: one of them in its form, or what became of one that was tried. */
  push: (at: { template?: string; tried?: string } = {}) => `/admin/push${query(at)}`,
  /** What programs and browsers had to say; days are written `2026-05-04`. */
  logs: (at: { search?: string; logger?: string; level?: string; from?: string; until?: string; after?: string } = {}) =>
    `/admin/logs${query(at)}`,
  /** The same as it is now, for a page that stands open; `search` is that of its address. */
  logsNow: (search: string) => `/admin/logs/now${search}`,
  /** Files of programs: a directory of them, or one. */
  programFiles: (at: { path?: string; from?: number } = {}) => `/admin/files${query(at)}`,
  imports: (at: { after?: string } = {}) => `/admin/imports${query(at)}`,
  importRun: (id: string) => `/admin/imports/${id}`,
  importReport: (id: string) => `/admin/imports/${id}/report`,
  /** `saved`: one that somebody keeps, the latest first. */
  search: (at: { q?: string; page?: number; saved?: string } = {}) => `/search${query(at)}`,
  /** What was searched for and not found, for admins. */
  searchMisses: () => "/admin/not-found",
  rules: () => "/rules",
  privacy: () => "/privacy",
  about: () => "/about",
  logo: (uploadId: string, face = "picture") => `/logo/${uploadId}/${face}`,
  /** How often somebody had to step in, in numbers. */
  transparency: () => "/transparency",
  ground: (style: string) => `/grounds/${style}.svg`,
  picture: (uploadId: string) => `/files/pictures/${uploadId}`,
  addPicture: (place: string) => `/uploads/pictures${query({ place })}`,
  exported: (id: string) => `/files/exports/${id}`,
  file: (uploadId: string) => `/files/${uploadId}`,
  thumbnail: (uploadId: string) => `/files/${uploadId}/thumbnail`,
  display: () => "/display",
  mailbox: (at: { to?: string } = {}) => `/dev/mail${query(at)}`,
  /** Ends mail, for whoever holds the link of one. */
  unsubscribe: (token: string) => `/unsubscribe/${token}`,
  mailIn: (id: string) => `/dev/mail/${id}`,
  latestBuild: () => "/builds/latest.json",
} as const;

/** The feed of a public group or discussion, by the address of its page. */
export const feedOf = (page: string) => `${page}/feed.atom`;

/** Where to go after signing in: only a path of our own, never another origin. */
export function ownPath(wanted: string | null | undefined): string {
  if (!wanted || !wanted.startsWith("/") || wanted.startsWith("//") || /[\\\u0000-\u001f]/.test(wanted)) return urls.home();
  return wanted;
}
