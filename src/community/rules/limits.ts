/** Limits of the product, shared by forms in the browser and commands on the server. */
export const LIMITS = {
  username: { min: 3, max: 20 },
  displayName: 50,
  bio: 1_000,
  /**
   * Limits of the community's profile fields: number of fields and of choices, characters of a choice, a
   * label, a hint, and an answer (in one line or as a text).
   */
  profileFields: { count: 40, choices: 50, choice: 60, label: 40, hint: 200, line: 200, text: 1_000 },
  password: { min: 10, staffMin: 15, max: 256, differentCharacters: 6 },
  email: 320,
  groupName: { min: 2, max: 60 },
  purpose: 200,
  about: 10_000,
  /** Maximum characters of a reason, such as for a rejection, a ban or an entry in the audit log. */
  reason: 300,
  /** Appeal of a ban: maximum characters, and days in which an appeal is possible. */
  appeal: { text: 2_000, days: 20 },
  /** Maximum start-here entries per group. */
  startItems: 10,
  /**
   * Days in which an invitation is valid, maximum invitations per day, and maximum uses of one link, which
   * are more for links by staff.
   */
  invitation: { days: 30, perDay: 10, uses: 10, usesByStaff: 5_000 },
  title: { min: 5, max: 200 },
  post: 32_000,
  /** Maximum mentions per post, fewer for newcomers, and maximum members of a group that can be mentioned. */
  mentions: { post: 10, newMember: 2, group: 100 },
  /** Maximum external links in a newcomer's post. */
  links: { newMember: 2 },
  /** Days without posts after which a reply shows a notice first. */
  longQuietDays: 180,
  /** Limits of a poll: number of options, characters of an option, and days until it closes. */
  poll: { options: { min: 2, max: 20 }, option: 200, days: 366 },
  /**
   * Limits of events, such as places, companions of one person, hosts, characters of a note, days of duration
   * (`days`), and days until the event (`ahead`).
   */
  event: {
    title: { min: 5, max: 120 },
    place: 200,
    places: 100_000,
    companions: 5,
    hosts: 10,
    note: 200,
    days: 31,
    ahead: 1_096,
    /** Limits of a series: dates, interval, and days for which a series without an end is planned. */
    series: { dates: 500, every: 99, planned: 366 },
    /** Number of times of a date poll. */
    datePoll: { times: { min: 2, max: 20 } },
  },
  announcement: { title: { min: 3, max: 120 }, body: 10_000 },
  message: 10_000,
  reports: {
    /** Messages before and after each selected message that are added to the report. */
    around: 5,
    /** Maximum characters of the reason. */
    reason: 1_000,
    /** Weight of reports at which a post or resource is hidden: a newcomer's report weighs one, others weigh two. */
    hides: 4,
    /** Maximum characters of a note of a case. */
    caseNote: 2_000,
    /** Maximum characters of the rule that a decision cites. */
    rule: 1_000,
    /** Maximum characters of the law that illegal content breaks. */
    law: 200,
  },
  /** Maximum number of report categories, and maximum characters of a category's name. */
  reportCategories: { count: 20, name: 60 },
  /**
   * Maximum pending posts of one newcomer (`most`); number of reporters from which all posts of a person need
   * approval; days for which returned posts are shown; days for which pending posts are stored.
   */
  pendingPosts: { most: 3, reportedBy: 3, returnedDays: 30, days: 180 },
  /**
   * Limits of conversations: participants, characters of the name and of a first message, minutes in which
   * messages can be edited, and changes of participants and name per hour.
   */
  conversation: { people: 30, name: 60, request: 1_000, changeMinutes: 10, shapedInAnHour: 60 },
  /** Days without a change after which drafts are deleted. */
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
  /**
   * Limits of collections: characters of title and description, number per group or in the site library,
   * items, and curators.
   */
  collections: { title: 120, about: 1_000, count: 50, items: 500, curators: 10 },
  /** Maximum characters of a version note. */
  versionNote: 200,
  friendNote: 300,
  /** Maximum number of one person's filters, and maximum characters of a filter's phrase. */
  filters: { count: 50, phrase: 100 },
  why: 300,
  url: 2_000,
  alt: 1_500,
  document: 250_000,
  pictureBytes: 8_000_000,
  /**
   * Limits of pictures in posts: bytes of the upload, pixels of width and height, number per post, and number
   * per post of a newcomer.
   */
  postPicture: { bytes: 10_000_000, pixels: 2_000, count: 10, newMember: 1 },
  page: { posts: 20, discussions: 20, cards: 24, people: 50, messages: 50 },
  /**
   * Limits of webhooks: characters of a name, number for the whole site, number per group, and entries of
   * each filter.
   */
  webhooks: { name: 60, site: 50, group: 10, filters: 20 },
  /** Maximum number of pages of a discussion that are loaded at once. */
  postPagesAtOnce: 5,
} as const;
