import { many, maybeOne, sql, type Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { getConversation } from "#community/conversations";
import { getDiscussion } from "#community/discussions";
import type { NotificationRecipient } from "../mail-recipient.ts";
import { fillMessage, formatMoment, mailMessagesFor } from "../messages/index.ts";

/** Number of latest texts in a discussion or conversation that are compared with a quotation. */
const MOST_TEXTS = 60;
const MOST_LETTERS = 200_000;
/** Minimum share of a line's word pairs that must occur in known texts. */
const KNOWN_PAIRS = 0.75;

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/https?:\/\/\S+/g, " ")
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * Returns a function that tells whether a line is from these texts: most of its word pairs must occur in
 * them, so line breaks may differ.
 */
export function createKnownLineCheck(texts: string[]): (line: string) => boolean {
  const [single, pairs] = [new Set<string>(), new Set<string>()];
  for (const text of texts) {
    const words = wordsIn(text);
    words.forEach((word, at) => {
      single.add(word);
      if (at > 0) pairs.add(`${words[at - 1]} ${word}`);
    });
  }
  return (line) => {
    const words = wordsIn(line);
    if (words.length < 2) return words.every((word) => single.has(word));
    const known = words.filter((word, at) => at > 0 && pairs.has(`${words[at - 1]} ${word}`)).length;
    return known >= (words.length - 1) * KNOWN_PAIRS;
  };
}

type Said = { text: string; by: string; at: Date };
type Place = { personId: string; kind: "discussion" | "conversation"; id: string };

type MailReader = Pick<NotificationRecipient, "viewer" | "locale" | "name" | "timeZone">;

/**
 * Whether the reader still has access: an answer by mail must not reveal texts that the reader may not read.
 */
async function canRead(tx: Tx, { viewer }: MailReader, { kind, id }: Place): Promise<boolean> {
  try {
    await (kind === "discussion" ? getDiscussion(tx, viewer, id) : getConversation(tx, viewer, id));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * All texts that our mails about the place may have contained: our own sentences, the names, and the latest
 * texts.
 */
export async function loadMailedTexts(
  tx: Tx,
  place: Place,
  reader: MailReader,
  community: string,
): Promise<string[]> {
  if (!(await canRead(tx, reader, place))) return [];
  const { kind, id } = place;
  const texts = await many(
    tx,
    kind === "discussion"
      ? sql<Said>`
          select left(p.body_md, 5000) as text, a.display_name as by, p.created_at as at from posts p
          join people a on a.id = p.author_id
          where p.discussion_id = ${id} and p.state = 'published' order by p.number desc limit ${MOST_TEXTS}`
      : sql<Said>`
          select left(m.body_md, 5000) as text, a.display_name as by, m.created_at as at from messages m
          join people a on a.id = m.author_id
          where m.conversation_id = ${id} and m.deleted_at is null order by m.seq desc limit ${MOST_TEXTS}`,
  );
  const named = await maybeOne(
    tx,
    kind === "discussion"
      ? sql<{
          names: string;
        }>`select d.title || ' · ' || g.name as names from discussions d join groups g on g.id = d.group_id
          where d.id = ${id}`
      : sql<{ names: string }>`select name as names from conversations where id = ${id}`,
  );
  const authors = [...new Set(texts.map(({ by }) => by))];
  const around = frameFor(reader, authors, { title: named?.names ?? "", community });
  const heads = texts.map(
    ({ by, at }) => `${by} ${formatMoment(mailMessagesFor(reader.locale).language, reader.timeZone, at)}`,
  );
  const names = [named?.names ?? "", community, ...heads];
  let left = MOST_LETTERS;
  return [...around, ...names, ...texts.map(({ text }) => text)].filter((text) => (left -= text.length) > 0);
}

/** The sentences of mails that can be answered, filled in for the reader. */
function frameFor(
  { locale, name }: Pick<NotificationRecipient, "locale" | "name">,
  authors: string[],
  values: Record<string, string>,
): string[] {
  const { sentences, hello, earlier, buttons, answerByMail, answerLine, why, change, stop } =
    mailMessagesFor(locale).words;
  const { reply, mention, new_reply, new_discussion, message } = sentences;
  const templates = [reply, mention, new_reply, new_discussion, message];
  return [
    fillMessage(hello, { name }),
    ...authors
      .slice(0, 20)
      .flatMap((names) =>
        templates.map((text) => fillMessage(text, { ...values, names, group: values["title"]! })),
      ),
    ...[
      earlier,
      answerByMail,
      answerLine,
      change,
      stop,
      ...Object.values(buttons),
      ...Object.values(why),
    ].map((text) => fillMessage(text, values)),
  ];
}
