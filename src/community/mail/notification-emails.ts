import { many, maybeOne, sql, type Tx } from "#platform/database";
import type { EmailContent, EmailPart } from "#platform/mail";
import { createMailExcerpt } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import { getConversation, getMessagesPage } from "#community/conversations";
import { getDiscussion, listPostsById } from "#community/discussions";
import { listFilters, mutedIds } from "#community/friends";
import { getAnnouncement } from "#community/notifications";
import { listPersonSummaries } from "#community/accounts";
import { getResource } from "#community/resources";
import { conversationRules, discussionRules, createFilterMatcher } from "#community/rules";
import { createChangeNotice, createRemovalNotice, createReportNotice } from "./moderation-emails.ts";
import { createGroupNotice } from "./group-emails.ts";
import { links, type MailContext } from "./mail-context.ts";
import type { NotificationReader } from "./mail-recipient.ts";
import { createOpeningSentence } from "./opening-sentence.ts";
import { fillMessage, formatMoment } from "./messages/index.ts";
import type { MailedKind, NotificationReason } from "./messages/message-types.ts";

/** One notification row. Rows about one subject share a mail. */
export type NotificationRow = {
  id: string;
  kind: MailedKind;
  objectKind:
    | "discussion"
    | "conversation"
    | "group"
    | "resource"
    | "person"
    | "announcement"
    | "report"
    | "search";
  objectId: string;
  reason: NotificationReason;
  detail: string;
  actors: string[];
  items: string[];
  latestId: string | null;
  count: number;
  /** The name by which the recipient knows what they can no longer see. */
  keptName: string | null;
  /** The stated reason, and the start or end of the effect. */
  words: string;
  moment: Date | null;
  mailedBefore: Date | null;
  updatedAt: Date;
};

/** The content of a mail about some rows, without greeting and footer. */
export type Notice = {
  subject: string;
  parts: EmailPart[];
  act: NonNullable<EmailContent["act"]>;
  /** Group named in the footer. */
  group: string;
  listName: string;
  fromName?: string;
  canAnswer: boolean;
  several?: boolean;
};

const MAX_TEXTS = 5;
const MAX_TEXT_LENGTH = 1_500;

/** Kinds that lead a mail about one subject, in order of precedence. */
const LEAD_KINDS: MailedKind[] = ["mention", "reply", "bookmark", "new_discussion", "new_reply"];
export const pickLeadRow = (rows: NotificationRow[]): NotificationRow =>
  LEAD_KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind))[0] ?? rows[0]!;

export type NoticeContext = {
  tx: Tx;
  app: MailContext;
  to: NotificationReader;
  rows: NotificationRow[];
  lead: NotificationRow;
  names: string[];
  muted: Set<string>;
  /** Whether the text matches one of the recipient's filters: on the page it is collapsed. */
  unwanted: (words: string) => boolean;
};

/**
 * The notice for these rows as its recipient may read it now; null if nothing is visible to them (any more).
 */
export async function createNotice(
  tx: Tx,
  app: MailContext,
  to: NotificationReader,
  rows: NotificationRow[],
): Promise<Notice | null> {
  const lead = pickLeadRow(rows);
  const actors = [...new Set([lead, ...rows].flatMap((row) => row.actors))];
  const [known, muted] = [await listPersonSummaries(tx, to.viewer, actors), await listMutedPeople(tx, to)];
  const sieve = createFilterMatcher(await listFilters(tx, to.viewer, "notifications"));
  const names = actors.flatMap((id) =>
    muted.has(id) ? [] : (known.find((person) => person.id === id)?.name ?? []),
  );
  // If all actors are blocked or muted, nothing is mailed.
  if (actors.length > 0 && names.length === 0) return null;
  try {
    const make =
      lead.kind === "changed"
        ? createChangeNotice
        : lead.kind === "post_removed" || lead.kind === "post_decided"
          ? createRemovalNotice
          : NOTICE_FACTORIES[lead.objectKind];
    return await make({ tx, app, to, rows, lead, names, muted, unwanted: (words) => sieve(words) !== null });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const listMutedPeople = async (tx: Tx, { viewer }: NotificationReader) =>
  new Set(
    (await many(tx, sql<{ id: string }>`select unnest(${mutedIds(viewer)}) as id`)).map(({ id }) => id),
  );

const NOTICE_FACTORIES: Record<
  NotificationRow["objectKind"],
  (at: NoticeContext) => Notice | Promise<Notice | null>
> = {
  discussion: createDiscussionNotice,
  conversation: createConversationNotice,
  group: createGroupNotice,
  person: createPersonNotice,
  resource: createResourceNotice,
  announcement: createAnnouncementNotice,
  report: createReportNotice,
  search: createSearchNotice,
};

const latestMailedAt = (rows: NotificationRow[]) =>
  rows.reduce<Date | null>(
    (at, { mailedBefore }) => (mailedBefore && (!at || mailedBefore > at) ? mailedBefore : at),
    null,
  );

async function createDiscussionNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, rows, lead } = at;
  const discussion = await getDiscussion(tx, to.viewer, lead.objectId);
  const since = latestMailedAt(rows);
  const named = [
    ...new Set(rows.flatMap(({ items, latestId }) => [...items, ...(latestId ? [latestId] : [])])),
  ];
  const posts = (await listPostsById(tx, to.viewer, discussion, named)).filter(
    ({ mine, createdAt, author, html }) =>
      lead.kind === "bookmark" ||
      (!mine &&
        !at.muted.has(author?.id ?? "") &&
        (!since || createdAt > since) &&
        !at.unwanted(createMailExcerpt(html ?? "", MAX_TEXT_LENGTH))),
  );
  if (
    posts.length === 0 ||
    (lead.kind !== "bookmark" && at.unwanted(`${discussion.title} ${discussion.group.name}`))
  )
    return null;
  const { words, sentence, say, language } = createOpeningSentence(at, {
    title: discussion.title,
    group: discussion.group.name,
  });
  const shown = posts.slice(-MAX_TEXTS);
  const said = shown.map(({ author, createdAt, html, number }) => ({
    kind: "said" as const,
    by: author?.name ?? "",
    at: formatMoment(language, to.timeZone, createdAt),
    text: createMailExcerpt(html ?? "", MAX_TEXT_LENGTH),
    link: links.discussion(app, discussion.id, number),
  }));
  return {
    subject:
      lead.kind === "bookmark"
        ? say(words.subjects.reminder)
        : `${discussion.title} · ${discussion.group.name}`,
    parts: [
      { kind: "sentence", text: sentence },
      { kind: "heading", text: discussion.title, note: discussion.group.name },
      ...earlierCount(words.earlier, posts.length - shown.length),
      ...said,
    ],
    act: { button: words.buttons.answer, link: links.discussion(app, discussion.id, shown[0]!.number) },
    group: discussion.group.name,
    listName: discussion.title,
    fromName: shown.at(-1)?.author?.name,
    canAnswer: lead.kind !== "bookmark" && discussionRules.reply(to.viewer, discussion),
  };
}

const earlierCount = (words: string, n: number): EmailPart[] =>
  n > 0 ? [{ kind: "sentence", text: fillMessage(words, { n }) }] : [];

async function createConversationNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, rows, lead } = at;
  const conversation = await getConversation(tx, to.viewer, lead.objectId);
  if (conversation.muted) return null;
  const since = latestMailedAt(rows);
  const { messages } = await getMessagesPage(tx, to.viewer, conversation, { after: conversation.readUpTo });
  const unread = messages.filter(
    ({ mine, html, createdAt, author }) =>
      !mine && html !== null && !at.muted.has(author?.id ?? "") && (!since || createdAt > since),
  );
  if (unread.length === 0) return null;
  const { words, sentence, say, language } = createOpeningSentence(at);
  // The text of a message request is read where it can be declined.
  const shown = lead.kind === "message_request" ? [] : unread.slice(-MAX_TEXTS);
  return {
    subject: conversation.name || say(words.subjects.message),
    parts: [
      { kind: "sentence", text: sentence },
      ...earlierCount(words.earlier, shown.length === 0 ? 0 : unread.length - shown.length),
      ...shown.map(({ author, createdAt, html }) => ({
        kind: "said" as const,
        by: author?.name ?? "",
        at: formatMoment(language, to.timeZone, createdAt),
        text: createMailExcerpt(html ?? "", MAX_TEXT_LENGTH),
      })),
    ],
    act: { button: words.buttons.answer, link: links.conversation(app, conversation.id) },
    group: "",
    listName: conversation.name,
    fromName: unread.at(-1)?.author?.name,
    canAnswer: lead.kind === "message" && conversationRules.write(to.viewer, conversation),
  };
}

async function createPersonNotice(at: NoticeContext): Promise<Notice | null> {
  const { app, lead } = at;
  const { words, sentence, say } = createOpeningSentence(at);
  const waits = lead.kind === "account_waits";
  const link = waits
    ? links.accountsWaiting(app)
    : lead.kind === "friend_request"
      ? links.friendRequests(app)
      : links.person(app, lead.objectId);
  return {
    subject: say(waits ? words.subjects.account : words.subjects.person),
    parts: [{ kind: "sentence", text: sentence }],
    act: { button: words.buttons.look, link },
    group: "",
    listName: "",
    canAnswer: false,
  };
}

async function createResourceNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, lead } = at;
  const resource = await getResource(tx, to.viewer, lead.objectId);
  if (at.unwanted(resource.title)) return null;
  const { words, sentence } = createOpeningSentence(at, { title: resource.title });
  return {
    subject: resource.title,
    parts: [{ kind: "sentence", text: sentence }],
    act:
      lead.kind === "post_waits"
        ? { button: words.buttons.look, link: links.firstPosts(app) }
        : { button: words.buttons.read, link: links.resource(app, resource.id) },
    group: resource.group?.name ?? "",
    listName: resource.title,
    canAnswer: false,
  };
}

async function createAnnouncementNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, lead } = at;
  const { title, html, by, at: made, group, id } = await getAnnouncement(tx, to.viewer, lead.objectId);
  const { words, sentence, language } = createOpeningSentence(at);
  return {
    subject: title,
    parts: [
      { kind: "sentence", text: sentence },
      { kind: "heading", text: title, ...(group && { note: group.name }) },
      {
        kind: "said",
        by: by?.name ?? "",
        at: formatMoment(language, to.timeZone, made),
        text: createMailExcerpt(html, MAX_TEXT_LENGTH),
      },
    ],
    act: { button: words.buttons.read, link: links.announcement(app, id) },
    group: group?.name ?? "",
    listName: title,
    fromName: by?.name,
    canAnswer: false,
  };
}

/** Results are read on the search page, so the mail only links there. */
async function createSearchNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, lead } = at;
  const kept = await maybeOne(
    tx,
    sql<{
      name: string;
    }>`select name from saved_searches where id = ${lead.objectId} and person_id = ${to.id} and notified_until is not null`,
  );
  if (!kept) return null;
  const { words, sentence } = createOpeningSentence(at, { title: kept.name });
  return {
    subject: kept.name,
    parts: [{ kind: "sentence", text: sentence }],
    act: { button: words.buttons.look, link: links.savedSearch(app, lead.objectId) },
    group: "",
    listName: kept.name,
    canAnswer: false,
  };
}
