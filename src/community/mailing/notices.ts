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

/** One row of what somebody is told of. Rows of one thing go into one mail. */
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
  /** Of what they may not see any more: the name by which they know it. */
  keptName: string | null;
  /** What was said with it, and from when on or until when it holds. */
  words: string;
  moment: Date | null;
  mailedBefore: Date | null;
  updatedAt: Date;
};

/** A mail of some rows, before it has its head. */
export type Notice = {
  subject: string;
  parts: Part[];
  act: NonNullable<Letter["act"]>;
  /** Of the place that the reason names. */
  group: string;
  listName: string;
  fromName?: string;
  canAnswer: boolean;
  several?: boolean;
};

/** Texts that stand in one mail, and signs of each. */
const MOST_TEXTS = 5;
const LENGTH = 1_500;

/** Of several kinds about one thing, the one that the mail begins with. */
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
  /** Whether they do not want to meet these words among what they are told of: on the page that line is folded. */
  unwanted: (words: string) => boolean;
};

/** What a mail about these rows says, read as its recipient at this moment; null where there is nothing for them (any more). */
export async function noticeOf(tx: Tx, house: MailHouse, to: Reader, rows: Row[]): Promise<Notice | null> {
  const lead = leadOf(rows);
  const actors = [...new Set([lead, ...rows].flatMap((row) => row.actors))];
  const [known, muted] = [await summariesOf(tx, to.viewer, actors), await mutedBySomebody(tx, to)];
  const sieve = sieveOf(await filtersOf(tx, to.viewer, "notifications"));
  const names = actors.flatMap((id) => (muted.has(id) ? [] : (known.find((person) => person.id === id)?.name ?? [])));
  // Who did it is somebody that they may not know of, or want to hear nothing from: then it did not happen, for them.
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
  // What somebody unknown writes is read where one can refuse it.
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

/** What was found is read where it stands. */
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
