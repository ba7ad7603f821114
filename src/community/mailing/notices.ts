import { many, maybeOne, sql, type Tx } from "#platform/database";
import type { Letter, Part } from "#platform/mail";
import { plainOf } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import { conversationFor, messagesOf } from "#community/conversations";
import { discussionFor, postsNamed } from "#community/discussions";
import { filtersOf, mutedOf } from "#community/friends";
import { announcementFor } from "#community/notifications";
import { summariesOf } from "#community/people";
import { resourceFor } from "#community/resources";
import { conversationRules, discussionRules, sieveOf } from "#community/rules";
import { ofChanged, ofRemoved, ofReport } from "./case-notices.ts";
import { ofGroup } from "./group-notices.ts";
import { links, type MailHouse } from "./house.ts";
import type { Reader } from "./recipient.ts";
import { opening } from "./sentences.ts";
import { fill, momentFor } from "./words/index.ts";
import type { NoticeKind, Reason } from "./words/words.ts";

/** One notification row. Rows about one subject share a mail. */
export type Row = {
  id: string;
  kind: NoticeKind;
  objectKind: "discussion" | "conversation" | "group" | "resource" | "person" | "announcement" | "report" | "search";
  objectId: string;
  reason: Reason;
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
  parts: Part[];
  act: NonNullable<Letter["act"]>;
  /** Group named in the footer. */
  group: string;
  listName: string;
  fromName?: string;
  canAnswer: boolean;
  several?: boolean;
};

const MOST_TEXTS = 5;
const LENGTH = 1_500;

/** Kinds that lead a mail about one subject, in order of precedence. */
const FIRST: NoticeKind[] = ["mention", "reply", "bookmark", "new_discussion", "new_reply"];
export const leadOf = (rows: Row[]): Row => FIRST.flatMap((kind) => rows.filter((row) => row.kind === kind))[0] ?? rows[0]!;

export type At = {
  tx: Tx;
  house: MailHouse;
  to: Reader;
  rows: Row[];
  lead: Row;
  names: string[];
  muted: Set<string>;
  /** Whether the text matches one of the recipient's filters: on the page it is collapsed. */
  unwanted: (words: string) => boolean;
};

/**
 * The notice for these rows as its recipient may read it now; null if nothing is visible to them (any more).
 */
export async function noticeOf(tx: Tx, house: MailHouse, to: Reader, rows: Row[]): Promise<Notice | null> {
  const lead = leadOf(rows);
  const actors = [...new Set([lead, ...rows].flatMap((row) => row.actors))];
  const [known, muted] = [await summariesOf(tx, to.viewer, actors), await mutedBySomebody(tx, to)];
  const sieve = sieveOf(await filtersOf(tx, to.viewer, "notifications"));
  const names = actors.flatMap((id) => (muted.has(id) ? [] : (known.find((person) => person.id === id)?.name ?? [])));
  // If all actors are blocked or muted, nothing is mailed.
  if (actors.length > 0 && names.length === 0) return null;
  try {
    const make =
      lead.kind === "changed"
        ? ofChanged
        : lead.kind === "post_removed" || lead.kind === "post_decided"
          ? ofRemoved
          : MAKERS[lead.objectKind];
    return await make({ tx, house, to, rows, lead, names, muted, unwanted: (words) => sieve(words) !== null });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const mutedBySomebody = async (tx: Tx, { viewer }: Reader) =>
  new Set((await many(tx, sql<{ id: string }>`select unnest(${mutedOf(viewer)}) as id`)).map(({ id }) => id));

const MAKERS: Record<Row["objectKind"], (at: At) => Notice | Promise<Notice | null>> = {
  discussion: inDiscussion,
  conversation: inConversation,
  group: ofGroup,
  person: ofPerson,
  resource: underResource,
  announcement: ofAnnouncement,
  report: ofReport,
  search: ofSearch,
};

const latest = (rows: Row[]) =>
  rows.reduce<Date | null>((at, { mailedBefore }) => (mailedBefore && (!at || mailedBefore > at) ? mailedBefore : at), null);

async function inDiscussion(at: At): Promise<Notice | null> {
  const { tx, house, to, rows, lead } = at;
  const discussion = await discussionFor(tx, to.viewer, lead.objectId);
  const since = latest(rows);
  const named = [...new Set(rows.flatMap(({ items, latestId }) => [...items, ...(latestId ? [latestId] : [])]))];
  const posts = (await postsNamed(tx, to.viewer, discussion, named)).filter(
    ({ mine, createdAt, author, html }) =>
      lead.kind === "bookmark" ||
      (!mine && !at.muted.has(author?.id ?? "") && (!since || createdAt > since) && !at.unwanted(plainOf(html ?? "", LENGTH))),
  );
  if (posts.length === 0 || (lead.kind !== "bookmark" && at.unwanted(`${discussion.title} ${discussion.group.name}`))) return null;
  const { words, sentence, say, language } = opening(at, { title: discussion.title, group: discussion.group.name });
  const shown = posts.slice(-MOST_TEXTS);
  const said = shown.map(({ author, createdAt, html, number }) => ({
    kind: "said" as const,
    by: author?.name ?? "",
    at: momentFor(language, to.timeZone, createdAt),
    text: plainOf(html ?? "", LENGTH),
    link: links.discussion(house, discussion.id, number),
  }));
  return {
    subject: lead.kind === "bookmark" ? say(words.subjects.reminder) : `${discussion.title} · ${discussion.group.name}`,
    parts: [
      { kind: "sentence", text: sentence },
      { kind: "heading", text: discussion.title, note: discussion.group.name },
      ...earlier(words.earlier, posts.length - shown.length),
      ...said,
    ],
    act: { button: words.buttons.answer, link: links.discussion(house, discussion.id, shown[0]!.number) },
    group: discussion.group.name,
    listName: discussion.title,
    fromName: shown.at(-1)?.author?.name,
    canAnswer: lead.kind !== "bookmark" && discussionRules.reply(to.viewer, discussion),
  };
}

const earlier = (words: string, n: number): Part[] => (n > 0 ? [{ kind: "sentence", text: fill(words, { n }) }] : []);

async function inConversation(at: At): Promise<Notice | null> {
  const { tx, house, to, rows, lead } = at;
  const conversation = await conversationFor(tx, to.viewer, lead.objectId);
  if (conversation.muted) return null;
  const since = latest(rows);
  const { messages } = await messagesOf(tx, to.viewer, conversation, { after: conversation.readUpTo });
  const unread = messages.filter(
    ({ mine, html, createdAt, author }) => !mine && html !== null && !at.muted.has(author?.id ?? "") && (!since || createdAt > since),
  );
  if (unread.length === 0) return null;
  const { words, sentence, say, language } = opening(at);
  // The text of a message request is read where it can be declined.
  const shown = lead.kind === "message_request" ? [] : unread.slice(-MOST_TEXTS);
  return {
    subject: conversation.name || say(words.subjects.message),
    parts: [
      { kind: "sentence", text: sentence },
      ...earlier(words.earlier, shown.length === 0 ? 0 : unread.length - shown.length),
      ...shown.map(({ author, createdAt, html }) => ({
        kind: "said" as const,
        by: author?.name ?? "",
        at: momentFor(language, to.timeZone, createdAt),
        text: plainOf(html ?? "", LENGTH),
      })),
    ],
    act: { button: words.buttons.answer, link: links.conversation(house, conversation.id) },
    group: "",
    listName: conversation.name,
    fromName: unread.at(-1)?.author?.name,
    canAnswer: lead.kind === "message" && conversationRules.write(to.viewer, conversation),
  };
}

async function ofPerson(at: At): Promise<Notice | null> {
  const { house, lead } = at;
  const { words, sentence, say } = opening(at);
  const waits = lead.kind === "account_waits";
  const link = waits
    ? links.accountsWaiting(house)
    : lead.kind === "friend_request"
      ? links.friendRequests(house)
      : links.person(house, lead.objectId);
  return {
    subject: say(waits ? words.subjects.account : words.subjects.person),
    parts: [{ kind: "sentence", text: sentence }],
    act: { button: words.buttons.look, link },
    group: "",
    listName: "",
    canAnswer: false,
  };
}

async function underResource(at: At): Promise<Notice | null> {
  const { tx, house, to, lead } = at;
  const resource = await resourceFor(tx, to.viewer, lead.objectId);
  if (at.unwanted(resource.title)) return null;
  const { words, sentence } = opening(at, { title: resource.title });
  return {
    subject: resource.title,
    parts: [{ kind: "sentence", text: sentence }],
    act:
      lead.kind === "post_waits"
        ? { button: words.buttons.look, link: links.firstPosts(house) }
        : { button: words.buttons.read, link: links.resource(house, resource.id) },
    group: resource.group?.name ?? "",
    listName: resource.title,
    canAnswer: false,
  };
}

async function ofAnnouncement(at: At): Promise<Notice | null> {
  const { tx, house, to, lead } = at;
  const { title, html, by, at: made, group, id } = await announcementFor(tx, to.viewer, lead.objectId);
  const { words, sentence, language } = opening(at);
  return {
    subject: title,
    parts: [
      { kind: "sentence", text: sentence },
      { kind: "heading", text: title, ...(group && { note: group.name }) },
      { kind: "said", by: by?.name ?? "", at: momentFor(language, to.timeZone, made), text: plainOf(html, LENGTH) },
    ],
    act: { button: words.buttons.read, link: links.announcement(house, id) },
    group: group?.name ?? "",
    listName: title,
    fromName: by?.name,
    canAnswer: false,
  };
}

/** Results are read on the search page, so the mail only links there. */
async function ofSearch(at: At): Promise<Notice | null> {
  const { tx, house, to, lead } = at;
  const kept = await maybeOne(
    tx,
    sql<{ name: string }>`select name from saved_searches where id = ${lead.objectId} and person_id = ${to.id} and told_up_to is not null`,
  );
  if (!kept) return null;
  const { words, sentence } = opening(at, { title: kept.name });
  return {
    subject: kept.name,
    parts: [{ kind: "sentence", text: sentence }],
    act: { button: words.buttons.look, link: links.savedSearch(house, lead.objectId) },
    group: "",
    listName: kept.name,
    canAnswer: false,
  };
}
