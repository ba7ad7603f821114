/** What a mail of its own is written about; security has its letters elsewhere, and reactions are never mailed. */
export type NoticeKind =
  | "reply"
  | "mention"
  | "new_reply"
  | "new_discussion"
  | "bookmark"
  | "message"
  | "message_request"
  | "comment"
  | "friend_request"
  | "friend_accepted"
  | "group_invitation"
  | "group_request"
  | "group_decision"
  | "group_role"
  | "group_archived"
  | "announcement";

/** Why somebody is told of something, as the notification says it. */
export type Reason =
  | "mentioned"
  | "group_mentioned"
  | "you_wrote"
  | "you_started"
  | "watching"
  | "group_all"
  | "participant"
  | "you_keep"
  | "member"
  | "everybody"
  | "you_set"
  | "asked_you"
  | "you_asked"
  | "invited_you"
  | "you_lead";

/**
 * The words of mails. Filled in are `{name}` (of the reader), `{names}` (of those who did it), `{title}`, `{group}`,
 * `{community}`, `{n}` and `{role}`.
 */
export type Words = {
  hello: string;
  /** One sentence for each kind. Of a decision and a role there are several. */
  sentences: Record<Exclude<NoticeKind, "group_decision" | "group_role">, string>;
  decisions: { admitted: string; declined: string };
  roleIs: string;
  roles: { member: string; moderator: string; owner: string };
  /** Where the subject is not the title of what it is about. */
  subjects: { message: string; person: string; group: string; reminder: string };
  earlier: string;
  buttons: { read: string; answer: string; look: string };
  answerByMail: string;
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
  /** All that a push says, unless somebody wants its text shown. */
  push: string;
  attachments: string;
};
