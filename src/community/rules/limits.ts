/** The numbers of the product, once, where forms in the browser and verbs on the server both find them. */
export const LIMITS = {
  username: { min: 3, max: 20 },
  displayName: 50,
  bio: 1_000,
  /** Everything of one's own, or of a group, as a zip: days that it can be fetched, hours until one has failed, and how many are made in a day. */
  export: { days: 7, makingHours: 6, bytes: 2_000_000_000, perDay: { person: 3, group: 1 } },
  /** Lines of one's own: twenty that somebody wrote, and what a community they come from had asked, forty fields at most. */
  profileLines: 60,
  /** What a community asks of its people: so many fields, with so many choices each; characters of a line and of a text. */
  profileFields: { count: 40, choices: 50, choice: 60, label: 40, hint: 200, line: 200, text: 1_000 },
  password: { min: 10, staffMin: 15, max: 256, differentCharacters: 6 },
  email: 320,
  groupName: { min: 2, max: 60 },
  purpose: 200,
  about: 10_000,
  /** Why somebody was turned away or kept out, and what a log says. */
  reason: 300,
  /** What somebody says who is kept out of a group, and days in which they can say it. */
  appeal: { text: 2_000, days: 20 },
  /** How often a person, or a group, gets another name. */
  renamesInADay: 5,
  /** How much newcomers are asked to read first. */
  startItems: 10,
  /** Days an invitation holds, how many one makes in a day, and how many come in by one link; staff hand on larger ones. */
  invitation: { days: 30, perDay: 10, uses: 10, usesByStaff: 5_000 },
  title: { min: 5, max: 200 },
  post: 32_000,
  /** Names that one post may call; a group is called up to so many members. */
  mentions: { post: 10, newMember: 2, group: 100 },
  /** Links out of the house in one post of a newcomer. */
  links: { newMember: 2 },
  /** A discussion takes no more; then a new one is due. */
  postsInDiscussion: 10_000,
  /** Whoever wakes a discussion in which nobody wrote for so many days is told so. */
  longQuietDays: 180,
  /** Posts that one person keeps in a day. */
  bookmarks: { newDay: 20, day: 200 },
  /** Options of a poll, and the characters of one; days until it closes. */
  poll: { options: { min: 2, max: 20 }, option: 200, days: 366 },
  /** How fast and how much one person writes, and what of it newcomers do. Seconds lie between two of a kind. */
  pace: {
    reply: { seconds: 5, newSeconds: 30, newFirstDay: 10, newInDiscussion: 3, inARow: 3 },
    discussion: { seconds: 15, newSeconds: 120, day: 20, newFirstDay: 3 },
    reactions: { day: 50 },
    edits: { day: 30 },
    /** Requests to be let into one group, and into all. */
    asking: { group: 3, day: 30 },
    /** So many messages in so many seconds, and people one begins to write with in a day. */
    message: { burst: 10, seconds: 10, newConversations: 20 },
  },
  announcement: { title: { min: 3, max: 120 }, body: 10_000 },
  message: 10_000,
  /** In a day, by a newcomer in a day; messages chosen in one, those shown around each, the words for why; how long, once ended, what was reported is kept, and that it was; what reports
   * weigh that hide a post, where one by a newcomer weighs one and by anybody else two; minutes from then on until its author may change it. */
  reports: { day: 20, newDay: 5, chosen: 20, around: 5, reason: 1_000, evidenceDays: 365, keptDays: 730, hides: 4, mendMinutes: 10 },
  /** Texts of one newcomer that wait to be looked at; how many people report a newcomer until all that they write waits; days in which their author finds those that were given back, and others look at the rest. */
  heldPosts: { most: 3, reportedBy: 3, givenBackDays: 30, days: 180 },
  /** People in one conversation, its name, what a stranger may say at first, how long one's words can be changed, and how often who is in it and its name. */
  conversation: { people: 30, name: 60, request: 1_000, changeMinutes: 10, shapedInAnHour: 60 },
  /** Things that one person has begun to write and not sent. */
  drafts: 200,
  /** Days that they are kept, from the last change on. */
  draftDays: 180,
  /** What a draft keeps besides its title and its text, by the names of the fields, in characters. */
  draftMore: { tags: 200, why: 300, to: 700, pollOptions: 6_000, pollChoice: 20, pollResults: 20, pollCloses: 40 },
  comment: 10_000,
  /** Resources that one person adds in a day, and how long what was taken away can be brought back. */
  resources: { day: 100, newDay: 5, restoreDays: 30 },
  /** Shelves of one place; things on one, and people who look after one. */
  shelves: { title: 120, about: 1_000, count: 50, items: 500, curators: 10 },
  /** What somebody says about a new version. */
  versionNote: 200,
  tags: { count: 5, length: 20 },
  friendNote: 300,
  /** Whom one mutes, and words that one does not want to read. */
  mutes: 1_000,
  filters: { count: 50, phrase: 100 },
  why: 300,
  url: 2_000,
  alt: 1_500,
  document: 250_000,
  pictureBytes: 8_000_000,
  /** Pictures in posts: bytes in, pixels out, so many in one post, and of a newcomer's. */
  messageFiles: 10,
  postPicture: { bytes: 10_000_000, pixels: 2_000, count: 10, newMember: 1 },
  /** What one member may have stored. */
  quotaBytes: 1_000_000_000,
  fileBytes: 25_000_000,
  page: { posts: 20, discussions: 20, cards: 24, people: 50, messages: 50 },
  /** So many pages of a discussion can be read as one. */
  postPagesAtOnce: 5,
} as const;
