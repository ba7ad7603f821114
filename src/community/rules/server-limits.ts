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
};
