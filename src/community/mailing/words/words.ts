/** What a mail of its own is written about; security has its letters elsewhere, and reactions are never mailed. */
export type NoticeKind =
  | "reply"
  | "mention"
  | "new_reply"
  | "new_discussion"
  | "bookmark"
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
  | "announcement"
  | "post_removed"
  | "post_waits"
  | "post_decided"
  | "changed"
  | "report"
  | "report_decision";

/** Why somebody is told of something, as the notification says it. */
export type Reason =
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
 * The words of mails. Filled in are `{name}` (of the reader), `{names}` (of those who did it), `{title}`, `{group}`,
 * `{community}`, `{n}`, `{role}`, `{words}` and `{moment}`.
 */
export type Words = {
  hello: string;
  /** One sentence for each kind. Of some there are several, which stand below. */
  sentences: Record<
    Exclude<
      NoticeKind,
      "group_decision" | "group_role" | "group_opening" | "group_waits" | "report_decision" | "post_waits" | "post_decided" | "changed"
    >,
    string
  >;
  decisions: {
    admitted: string;
    declined: string;
    removed: string;
    banned: string;
    bannedUntil: string;
    banEnded: string;
    appealDeclined: string;
    letIn: string;
    turnedDown: string;
    heirDeclined: string;
    /** An admin looks into a group that they do not read otherwise. */
    inspected: string;
  };
  /** Of a post or comment of theirs. */
  postHidden: string;
  /** What somebody else did to what is theirs. */
  changed: { post: string; resource: string; moved: string; back: string; discussionBack: string };
  /** Of one that they began. */
  discussionDeleted: string;
  resourceRemoved: string;
  /** Of texts of newcomers: that one waits, and what became of it. */
  firstPosts: { inGroup: string; under: string; letIn: string; givenBack: string };
  groupDeleted: string;
  waits: { letIn: string; heir: string };
  opens: { public: string; private: string };
  /** The reason of a decision, which is `{words}`. */
  reason: string;
  /** That something comes back which was removed: to those who judge, and to whoever asked; or that somebody's account is looked at again. */
  appeals: { waits: string; account: string; restored: string; stays: string };
  reportEnds: { upheld: string; rejected: string };
  roleIs: string;
  roles: { member: string; moderator: string; owner: string };
  /** Where the subject is not the title of what it is about. */
  subjects: {
    message: string;
    person: string;
    account: string;
    group: string;
    reminder: string;
    report: string;
    asked: string;
    decision: string;
  };
  earlier: string;
  buttons: { read: string; answer: string; look: string };
  answerByMail: string;
  /** At the top of a mail that can be answered. */
  answerLine: string;
  why: Record<Reason, string>;
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
  /** What was taken for a quotation. */
  leftOut: { subject: string; sentence: string };
  /** All that a push says, unless somebody wants its text shown. */
  push: string;
  attachments: string;
};
