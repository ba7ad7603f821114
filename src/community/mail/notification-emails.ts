import { many, maybeOne, sql, type Tx } from "#platform/database";
import type { EmailContent, EmailPart } from "#platform/mail";
import { Refusal } from "#platform/refusal";
import { listWordFilters, mutedIds } from "#community/friends";
import { listPersonSummaries } from "#community/accounts";
import { listBotNames } from "#community/bots";
import { getResource } from "#community/resources";
import { createFilterMatcher } from "#community/rules";
import { createContentChangeNotice, createRemovalNotice, createReportNotice } from "./moderation-emails.ts";
import { createDatePollNotice, createEventNotice } from "./event-emails.ts";
import { createGroupNotice } from "./group-emails.ts";
import { mailLinks, type MailContext } from "./mail-context.ts";
import type { NotificationRecipient } from "./mail-recipient.ts";
import { createOpeningSentence } from "./opening-sentence.ts";
import { fillMessage, mailMessagesFor } from "./messages/index.ts";
import type { MailedKind, NotificationReason } from "./messages/message-types.ts";
import {
  createDiscussionNotice,
  createConversationNotice,
  createAnnouncementNotice,
} from "./quoted-text-emails.ts";

/** A notification to be mailed. Notifications about one subject share a mail. */
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
    | "search"
    | "event"
    | "date_poll";
  objectId: string;
  reason: NotificationReason;
  detail: string;
  actors: string[];
  items: string[];
  latestId: string | null;
  count: number;
  /** Name of a subject that the recipient can no longer see. */
  keptName: string | null;
  /** Reason of a decision; `moment` is the start or end of its effect. */
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
  /** Name of the group for the footer. */
  group: string;
  listName: string;
  fromName?: string;
  /** Whether a reply by mail is posted. */
  canAnswer: boolean;
  /** Writes the calendar part of a mail; without a reply address it asks for no answer. */
  invite?: (to: { email: string; replyAddress: string | null }) => NonNullable<EmailContent["calendar"]>;
  several?: boolean;
};

/** Kinds that lead a mail about one subject, in order of precedence. */
const LEAD_KINDS: MailedKind[] = ["mention", "reply", "bookmark", "new_discussion", "new_reply"];
export const pickLeadRow = (rows: NotificationRow[]): NotificationRow =>
  LEAD_KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind))[0] ?? rows[0]!;

export type NoticeContext = {
  tx: Tx;
  app: MailContext;
  to: NotificationRecipient;
  rows: NotificationRow[];
  lead: NotificationRow;
  names: string[];
  muted: Set<string>;
  /** Whether the text matches one of the recipient's filters. On pages such text is collapsed. */
  unwanted: (words: string) => boolean;
};

/**
 * The content of a mail about these notifications, as far as the recipient can read it now; null if nothing
 * is visible to them.
 */
export async function createNotice(
  tx: Tx,
  app: MailContext,
  to: NotificationRecipient,
  rows: NotificationRow[],
): Promise<Notice | null> {
  const lead = pickLeadRow(rows);
  const actors = [...new Set([lead, ...rows].flatMap((row) => row.actors))];
  const [people, muted] = [await listPersonSummaries(tx, to.viewer, actors), await listMutedPeople(tx, to)];
  const { bot } = mailMessagesFor(to.locale).words;
  const bots = (await listBotNames(tx, actors)).map((it) => ({ ...it, name: fillMessage(bot, it) }));
  const known = [...people, ...bots];
  const sieve = createFilterMatcher(await listWordFilters(tx, to.viewer, "notifications"));
  const names = actors.flatMap((id) =>
    muted.has(id) ? [] : (known.find((person) => person.id === id)?.name ?? []),
  );
  // If all actors are blocked or muted, nothing is mailed.
  if (actors.length > 0 && names.length === 0) return null;
  try {
    const make =
      lead.kind === "changed"
        ? createContentChangeNotice
        : lead.kind === "post_removed" || lead.kind === "post_decided"
          ? createRemovalNotice
          : NOTICE_FACTORIES[lead.objectKind];
    return await make({ tx, app, to, rows, lead, names, muted, unwanted: (words) => sieve(words) !== null });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

const listMutedPeople = async (tx: Tx, { viewer }: NotificationRecipient) =>
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
  event: createEventNotice,
  date_poll: createDatePollNotice,
};

async function createPersonNotice(at: NoticeContext): Promise<Notice | null> {
  const { app, lead } = at;
  const { words, sentence, fill } = createOpeningSentence(at);
  const { subjects } = words;
  const [subject, link] =
    lead.kind === "account_waits"
      ? [subjects.account, mailLinks.accountsWaiting(app)]
      : lead.kind === "post_waits"
        ? [subjects.pending, mailLinks.firstPosts(app)]
        : lead.kind === "webhook_paused"
          ? [subjects.webhook, mailLinks.webhooks(app, lead.detail)]
          : lead.kind === "friend_request"
            ? [subjects.person, mailLinks.friendRequests(app)]
            : [subjects.person, mailLinks.person(app, lead.objectId)];
  return {
    subject: fill(subject),
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
        ? { button: words.buttons.look, link: mailLinks.firstPosts(app) }
        : { button: words.buttons.read, link: mailLinks.resource(app, resource.id) },
    group: resource.group?.name ?? "",
    listName: resource.title,
    canAnswer: false,
  };
}

/** Links to the search page, because results are read there. */
async function createSearchNotice(at: NoticeContext): Promise<Notice | null> {
  const { tx, app, to, lead } = at;
  const kept = await maybeOne(
    tx,
    sql<{
      name: string;
    }>`select name from saved_searches
      where id = ${lead.objectId} and person_id = ${to.id} and notified_until is not null`,
  );
  if (!kept) return null;
  const { words, sentence } = createOpeningSentence(at, { title: kept.name });
  return {
    subject: kept.name,
    parts: [{ kind: "sentence", text: sentence }],
    act: { button: words.buttons.look, link: mailLinks.savedSearch(app, lead.objectId) },
    group: "",
    listName: kept.name,
    canAnswer: false,
  };
}
