import type { EmailPart } from "#platform/mail";
import { createMailExcerpt } from "#platform/markup";
import { getConversation, getMessagesPage } from "#community/conversations";
import { getDiscussion, listPostsById } from "#community/discussions";
import { getAnnouncement } from "#community/notifications";
import { conversationRules, discussionRules } from "#community/rules";
import { mailLinks } from "./mail-context.ts";
import { createOpeningSentence } from "./opening-sentence.ts";
import { fillMessage, formatMoment } from "./messages/index.ts";
import type { NotificationRow, Notice, NoticeContext } from "./notification-emails.ts";

const MAX_TEXTS = 5;
const MAX_TEXT_LENGTH = 1_500;

const latestMailedAt = (rows: NotificationRow[]) =>
  rows.reduce<Date | null>(
    (at, { mailedBefore }) => (mailedBefore && (!at || mailedBefore > at) ? mailedBefore : at),
    null,
  );

export async function createDiscussionNotice(at: NoticeContext): Promise<Notice | null> {
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
  const { words, sentence, fill, language } = createOpeningSentence(at, {
    title: discussion.title,
    group: discussion.group.name,
  });
  const shown = posts.slice(-MAX_TEXTS);
  const quotes = shown.map(({ author, createdAt, html, number }) => ({
    kind: "said" as const,
    by: author?.isBot ? fillMessage(words.bot, { name: author.name }) : (author?.name ?? ""),
    at: formatMoment(language, to.timeZone, createdAt),
    text: createMailExcerpt(html ?? "", MAX_TEXT_LENGTH),
    language: discussion.language,
    link: mailLinks.discussion(app, discussion.id, number),
  }));
  return {
    subject:
      lead.kind === "bookmark"
        ? fill(words.subjects.reminder)
        : `${discussion.title} · ${discussion.group.name}`,
    parts: [
      { kind: "sentence", text: sentence },
      {
        kind: "heading",
        text: discussion.title,
        language: discussion.language,
        note: discussion.group.name,
      },
      ...earlierCount(words.earlier, posts.length - shown.length),
      ...quotes,
    ],
    act: { button: words.buttons.answer, link: mailLinks.discussion(app, discussion.id, shown[0]!.number) },
    group: discussion.group.name,
    listName: discussion.title,
    fromName: shown.at(-1)?.author?.name,
    canAnswer: lead.kind !== "bookmark" && discussionRules.reply(to.viewer, discussion),
  };
}

const earlierCount = (words: string, n: number): EmailPart[] =>
  n > 0 ? [{ kind: "sentence", text: fillMessage(words, { n }) }] : [];

export async function createConversationNotice(at: NoticeContext): Promise<Notice | null> {
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
  const { words, sentence, fill, language } = createOpeningSentence(at);
  // A message request is mailed without its text: the recipient should read the text on the site, where the
  // request can be declined.
  const shown = lead.kind === "message_request" ? [] : unread.slice(-MAX_TEXTS);
  return {
    subject: conversation.name || fill(words.subjects.message),
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
    act: { button: words.buttons.answer, link: mailLinks.conversation(app, conversation.id) },
    group: "",
    listName: conversation.name,
    fromName: unread.at(-1)?.author?.name,
    canAnswer: lead.kind === "message" && conversationRules.write(to.viewer, conversation),
  };
}

export async function createAnnouncementNotice(at: NoticeContext): Promise<Notice | null> {
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
    act: { button: words.buttons.read, link: mailLinks.announcement(app, id) },
    group: group?.name ?? "",
    listName: title,
    fromName: by?.name,
    canAnswer: false,
  };
}
