/** Kinds of notifications that are mailed. Security mails are separate, and reactions are never mailed. */
export type MailedKind =
  | "reply"
  | "mention"
  | "new_reply"
  | "new_discussion"
  | "bookmark"
  | "new_event"
  | "new_date_poll"
  | "event_date"
  | "event_changed"
  | "event_host"
  | "event_place"
  | "event_tomorrow"
  | "event_soon"
  | "new_results"
  | "message"
  | "message_request"
  | "comment"
  | "version"
  | "dead_link"
  | "friend_request"
  | "friend_accepted"
  | "group_invitation"
  | "group_request"
  | "group_appeal"
  | "group_decision"
  | "group_role"
  | "group_opening"
  | "group_archived"
  | "group_waits"
  | "account_waits"
  | "webhook_paused"
  | "announcement"
  | "post_removed"
  | "post_waits"
  | "post_decided"
  | "changed"
  | "report"
  | "report_decision";

/** Why a person is notified, as stored in the notification. */
export type NotificationReason =
  | "mentioned"
  | "group_mentioned"
  | "you_wrote"
  | "you_started"
  | "watching"
  | "watching_resource"
  | "group_all"
  | "participant"
  | "you_keep"
  | "member"
  | "everybody"
  | "you_set"
  | "you_answered"
  | "you_host"
  | "you_searched"
  | "asked_you"
  | "about_you"
  | "your_post"
  | "you_asked"
  | "invited_you"
  | "you_lead"
  | "staff"
  | "you_reported";

/**
 * Messages of mails. Placeholders: `{name}` (recipient), `{names}` (actors), `{title}`, `{group}`,
 * `{community}`, `{n}`, `{role}`, `{words}` and `{moment}`.
 */
export type MailMessages = {
  hello: string;
  /** The name of a bot. */
  bot: string;
  /** One sentence per kind. Kinds with several sentences are below. */
  sentences: Record<
    Exclude<
      MailedKind,
      | "group_decision"
      | "group_role"
      | "group_opening"
      | "group_waits"
      | "report_decision"
      | "post_waits"
      | "post_decided"
      | "changed"
      | "event_changed"
      | "event_host"
    >,
    string
  >;
  decisions: {
    joinApproved: string;
    declined: string;
    removed: string;
    banned: string;
    bannedUntil: string;
    banEnded: string;
    appealDeclined: string;
    approved: string;
    groupRejected: string;
    ownerRequestDeclined: string;
    /** An admin inspects a group that they do not belong to. */
    inspected: string;
  };
  /** Sentence for the author of a hidden post or comment. */
  postHidden: string;
  /** Sentence for the owner of a hidden resource. */
  resourceHidden: string;
  /** Changes by others to the recipient's content. */
  changed: { post: string; resource: string; moved: string; back: string; discussionBack: string };
  eventHosts: { added: string; left: string; alone: string };
  eventChanges: { moved: string; repeats: string; postponed: string; cancelled: string };
  /** Sentence for the person who started the deleted discussion. */
  discussionDeleted: string;
  resourceRemoved: string;
  /** Decisions of moderators that remove nothing. `warnedOnly`: about content that has no title. */
  measures: Record<
    | "subject"
    | "warned"
    | "warnedOnly"
    | "locked"
    | "lockedUntil"
    | "slowed"
    | "slowedUntil"
    | "returned"
    | "resourceReturned",
    string
  >;
  /** Pending posts of newcomers, and the decisions on them. */
  firstPosts: Record<
    | "inGroup"
    | "under"
    | "approved"
    | "returned"
    | "resource"
    | "resourceInGroup"
    | "resourceApproved"
    | "resourceReturned"
    | "profile"
    | "profileApproved"
    | "profileReturned",
    string
  >;
  groupDeleted: string;
  waits: { approval: string; owner: string };
  opens: { public: string; private: string };
  /** The reason of a decision, as `{words}`. */
  reason: string;
  /** In a statement of reasons: that no program decided, and how to appeal on the linked page. */
  statement: { manual: string; appeal: string };
  /**
   * Appeals about content and accounts: pending ones for those who decide, and decisions for their authors.
   */
  appeals: { waits: string; account: string; restored: string; stays: string };
  cases: { assigned: string; mentioned: string };
  reportEnds: { upheld: string; rejected: string };
  roleIs: string;
  roles: { member: string; moderator: string; owner: string };
  /** Subjects for mails without a title to use. */
  subjects: {
    message: string;
    person: string;
    account: string;
    pending: string;
    webhook: string;
    group: string;
    reminder: string;
    report: string;
    asked: string;
    decision: string;
  };
  earlier: string;
  buttons: { read: string; answer: string; look: string };
  answerByMail: string;
  /** First line of a mail that can be answered by mail. */
  answerLine: string;
  why: Record<NotificationReason, string>;
  change: string;
  stop: string;
  digest: {
    subject: string;
    sentence: string;
    replies: { one: string; many: string };
    notThisGroup: string;
    why: string;
    button: string;
  };
  refused: { subject: string; sentence: string; yours: string };
  /** Messages of the mail that returns text dropped as a quotation. */
  leftOut: { subject: string; sentence: string };
  /** Generic push text for people who do not show details. */
  push: string;
  attachments: string;
};
