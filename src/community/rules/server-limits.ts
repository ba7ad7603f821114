/** Limits that only the server needs. Not part of `LIMITS`, which every page loads. */
export const SERVER_LIMITS = {
  /**
   * Export of an account or group as a zip: days in which it can be downloaded, hours after which an
   * unfinished export counts as failed, maximum bytes, and maximum exports per day.
   */
  export: { days: 7, makingHours: 6, bytes: 2_000_000_000, perDay: { person: 3, group: 1 } },
  /** Rate limits of one person, with separate ones for newcomers. Intervals are in seconds. */
  pace: {
    reply: { seconds: 5, newSeconds: 30, newFirstDay: 10, newInDiscussion: 3, inARow: 3 },
    discussion: { seconds: 15, newSeconds: 120, day: 20, newFirstDay: 3 },
    reactions: { day: 50 },
    edits: { day: 30 },
    /** Maximum applications of one person to one group, and per day to all groups. */
    asking: { group: 3, day: 30 },
    /** Maximum messages within `seconds`, and maximum new conversations a day. */
    message: { burst: 10, seconds: 10, newConversations: 20 },
  },
  /** Maximum renames of a person or group per day. */
  renamesInADay: 5,
  /** Maximum posts of a discussion, which is closed when it has this many. */
  postsInDiscussion: 10_000,
  /** Maximum number of drafts per person. */
  drafts: 200,
  /** Maximum number of people that one person mutes. */
  mutes: 1_000,
  /** Limits of reports that pages do not show. */
  reports: {
    /** Maximum reports of one person per day. */
    day: 20,
    /** Maximum reports of a newcomer per day. */
    newDay: 5,
    /** Maximum messages selected in one report. */
    chosen: 20,
    /** Days after the decision at which the reported texts are deleted. */
    evidenceDays: 365,
    /** Days after the decision at which the report is deleted. */
    keptDays: 730,
    /** Minutes until the author may correct a hidden post. */
    mendMinutes: 10,
    /** Maximum cases that are decided at once as spam. */
    bulk: 50,
    /** Minutes in which a moderator can undo a decision. */
    undoMinutes: 60,
    /** Maximum days of a restriction, ban, lock or slow mode imposed by a decision; each can also have no end. */
    restrictedDays: 365,
    /** Maximum seconds between two replies of a person by a decision. */
    slowSeconds: 86_400,
  },
  /** Storage quota of one member in bytes. */
  quotaBytes: 1_000_000_000,
  /** Maximum profile lines of one person: twenty custom lines, and up to forty from an imported community. */
  profileLines: 60,
  /** Maximum bookmarks that one person adds per day; `newDay` is for newcomers. */
  bookmarks: { newDay: 20, day: 200 },
  /**
   * Maximum resources that one person adds per day, fewer for newcomers, and days in which a removed resource
   * can be restored.
   */
  resources: { day: 100, newDay: 5, restoreDays: 30 },
  /** Maximum events on the page of one month, and in a calendar feed. */
  events: { month: 200, feed: 500 },
  /** Maximum date polls that one person creates per day, and open ones in a list. */
  datePolls: { day: 10, listed: 20 },
  /**
   * Limits of calendar files: bytes, events of one file, their dates in total, characters of a description, files
   * that one person uploads per day, calendars to which a group subscribes, and named reasons and titles of left out
   * events.
   */
  eventImports: {
    bytes: 5_000_000,
    events: 500,
    dates: 2_000,
    text: 4_000,
    day: 10,
    subscriptions: 5,
    reasons: 50,
    titles: 5,
  },
  /** Maximum files in one message. */
  messageFiles: 10,
  fileBytes: 25_000_000,
  /** Maximum tags of a discussion or resource, and maximum characters of a tag. */
  tags: { count: 5, length: 20 },
};
