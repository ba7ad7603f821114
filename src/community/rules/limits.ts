/** Limits of the product, shared by forms in the browser and commands on the server. */
export const LIMITS = {
  username: { min: 3, max: 20 },
  displayName: 50,
  bio: 1_000,
  /**
   * Export of an account or group as a zip: days in which it can be downloaded, hours after which an
   * unfinished export counts as failed, maximum bytes, and exports per day.
   */
  export: { days: 7, makingHours: 6, bytes: 2_000_000_000, perDay: { person: 3, group: 1 } },
  /** Profile lines of one person: twenty custom lines, and up to forty from an imported community. */
  profileLines: 60,
  /** Profile fields of the community: number, choices per field, and characters of label and text. */
  profileFields: { count: 40, choices: 50, choice: 60, label: 40, hint: 200, line: 200, text: 1_000 },
  password: { min: 10, staffMin: 15, max: 256, differentCharacters: 6 },
  email: 320,
  groupName: { min: 2, max: 60 },
  purpose: 200,
  about: 10_000,
  /** Characters of the reason for a rejection or ban, and of audit entries. */
  reason: 300,
  /** Appeal of a ban: characters, and days in which an appeal is possible. */
  appeal: { text: 2_000, days: 20 },
  /** Maximum renames of a person or group per day. */
  renamesInADay: 5,
  /** Maximum start-here entries per group. */
  startItems: 10,
  /**
   * Days in which an invitation is valid, invitations per day, and uses of one link; staff may allow more.
   */
  invitation: { days: 30, perDay: 10, uses: 10, usesByStaff: 5_000 },
  title: { min: 5, max: 200 },
  post: 32_000,
  /** Mentions per post, and the size of the largest group that can be mentioned. */
  mentions: { post: 10, newMember: 2, group: 100 },
  /** Maximum external links in a newcomer's post. */
  links: { newMember: 2 },
  /** Maximum posts of a discussion; it is then closed. */
  postsInDiscussion: 10_000,
  /** Days without posts after which a reply shows a notice first. */
  longQuietDays: 180,
  /** Maximum bookmarks that one person adds per day; `newDay` is for newcomers. */
  bookmarks: { newDay: 20, day: 200 },
  /** Poll: number of options, characters of an option, and days until it closes. */
  poll: { options: { min: 2, max: 20 }, option: 200, days: 366 },
  /**
   * Events: places, companions of one person, and characters of a note; maximum days of duration, and days
   * in advance.
   */
  event: {
    title: { min: 5, max: 120 },
    place: 200,
    places: 100_000,
    companions: 5,
    note: 200,
    days: 31,
    ahead: 1_096,
    /** Dates of a series, its interval, and days for which a series without an end is planned. */
    series: { dates: 500, every: 99, planned: 366 },
    /** Events on the page of one month. */
    month: 200,
    /** Events in a calendar feed. */
    feed: 500,
    /** Date polls: times of one poll, polls that one person creates a day, and open polls in a list. */
    datePoll: { times: { min: 2, max: 20 }, day: 10, listed: 20 },
  },
  /** Rate limits of one person, with separate ones for newcomers. Intervals are in seconds. */
  pace: {
    reply: { seconds: 5, newSeconds: 30, newFirstDay: 10, newInDiscussion: 3, inARow: 3 },
    discussion: { seconds: 15, newSeconds: 120, day: 20, newFirstDay: 3 },
    reactions: { day: 50 },
    edits: { day: 30 },
    /** Maximum applications of one person to one group, and per day to all groups. */
    asking: { group: 3, day: 30 },
    /** Messages per period in seconds, and new conversations a day. */
    message: { burst: 10, seconds: 10, newConversations: 20 },
  },
  announcement: { title: { min: 3, max: 120 }, body: 10_000 },
  message: 10_000,
  /**
   * Reports per day, and by a newcomer; messages selected in one report, and context messages before and
   * after; characters of the reason; retention of closed reports and their content; weight at which a post
   * is hidden, where a newcomer's report weighs one and others two; minutes until the author may correct it;
   * characters of the law that illegal content breaks.
   */
  reports: {
    day: 20,
    newDay: 5,
    chosen: 20,
    around: 5,
    reason: 1_000,
    evidenceDays: 365,
    keptDays: 730,
    hides: 4,
    mendMinutes: 10,
    caseNote: 2_000,
    bulk: 50,
    rule: 1_000,
    restrictedDays: 365,
    law: 200,
  },
  /** Categories of reports, and characters of a category's name. */
  reportCategories: { count: 20, name: 60 },
  /**
   * Pending posts of one newcomer; number of reporters from which all posts of a person need approval; days
   * for which returned posts are shown, and pending ones are stored.
   */
  pendingPosts: { most: 3, reportedBy: 3, returnedDays: 30, days: 180 },
  /**
   * Conversations: participants, characters of the name and of a first message, minutes in which messages
   * can be edited, and changes of participants and name per hour.
   */
  conversation: { people: 30, name: 60, request: 1_000, changeMinutes: 10, shapedInAnHour: 60 },
  /** Maximum number of drafts per person. */
  drafts: 200,
  /** Days after the last change at which drafts are deleted. */
  draftDays: 180,
  /** Maximum characters of each draft field except the text, by field name. */
  draftMore: {
    tags: 200,
    why: 300,
    to: 700,
    pollOptions: 6_000,
    pollChoice: 20,
    pollResults: 20,
    pollCloses: 40,
  },
  comment: 10_000,
  /** Resources that one person may add per day, and days in which a removed one can be restored. */
  resources: { day: 100, newDay: 5, restoreDays: 30 },
  /** Collections per group or in the site library, and items and curators per collection. */
  collections: { title: 120, about: 1_000, count: 50, items: 500, curators: 10 },
  /** Characters of a version note. */
  versionNote: 200,
  tags: { count: 5, length: 20 },
  friendNote: 300,
  /** Maximum number of people that one person mutes. */
  mutes: 1_000,
  /** Maximum number of one person's filters, and maximum characters of a filter's phrase. */
  filters: { count: 50, phrase: 100 },
  /** Blocked addresses: their number, and characters of the reason. */
  blockedAddresses: { count: 5_000, reason: 300 },
  /**
   * Watched words: their number; characters of phrase, replacement and explanation; words of a phrase; recent
   * posts on which a phrase is tried, and how many of those that match are shown.
   */
  watchedWords: {
    count: 500,
    phrase: 100,
    replacement: 100,
    explanation: 300,
    words: 40,
    triedPosts: 1_000,
    shown: 20,
  },
  why: 300,
  url: 2_000,
  alt: 1_500,
  document: 250_000,
  pictureBytes: 8_000_000,
  /**
   * Files in one message; then pictures in posts: upload bytes, stored pixels, number per post, and number
   * per post of a newcomer.
   */
  messageFiles: 10,
  postPicture: { bytes: 10_000_000, pixels: 2_000, count: 10, newMember: 1 },
  /** Storage quota of one member. */
  quotaBytes: 1_000_000_000,
  fileBytes: 25_000_000,
  page: { posts: 20, discussions: 20, cards: 24, people: 50, messages: 50 },
  /** Webhooks: characters of a name, webhooks of the site and of a group, and entries of each filter. */
  webhooks: { name: 60, site: 50, group: 10, filters: 20 },
  /** Maximum number of pages of a discussion that are loaded at once. */
  postPagesAtOnce: 5,
} as const;
