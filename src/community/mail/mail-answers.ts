import type { Email } from "postal-mime";
import { DAY, addMilliseconds } from "#platform/clock";
import { one, sql, type Tx } from "#platform/database";
import { queueMail, type EmailPart } from "#platform/mail";
import { hashRecipient } from "./recipient-hash.ts";
import type { getMailAuthor } from "./mail-recipient.ts";
import { fillMessage, formatMoment, mailMessagesFor } from "./messages/index.ts";

export type MailAuthor = NonNullable<Awaited<ReturnType<typeof getMailAuthor>>>;

/**
 * Maximum number of answers to inbound mail per person and day, so that two programs do not answer each
 * other for ever.
 */
const MOST_ANSWERS = 20;
/** Maximum number of characters of the inbound text in an answer: more than a post can hold. */
const MOST_TEXT = 100_000;

type About = { mail: Email; hash: Buffer; community: string; text: string };

/**
 * Mails the author that their reply was rejected, with the reason and its text. Returns false if the author
 * has reached the daily limit of answers.
 */
export const mailReplyRefusal = (tx: Tx, author: MailAuthor, why: string, about: About) =>
  mailAnswer(tx, author, "refused", why, about);

/** Mails the author the part of their reply that was dropped as a quotation. */
export const mailDroppedText = (tx: Tx, author: MailAuthor, about: About) =>
  mailAnswer(tx, author, "leftOut", null, about);

/** Sends an answer to the account's address, never to the sender's address, which can be forged. */
async function mailAnswer(
  tx: Tx,
  author: MailAuthor,
  kind: "refused" | "leftOut",
  why: string | null,
  { mail, hash, community, text }: About,
) {
  if (!author.email || (await answersToday(tx, author.id)) >= MOST_ANSWERS) return false;
  const { language, words } = mailMessagesFor(author.locale);
  const sentences = [
    fillMessage(words.hello, { name: author.name }),
    words[kind].sentence,
    ...(why === null ? [] : [why]),
  ];
  const theirs = {
    kind: "said" as const,
    by: words.refused.yours,
    at: formatMoment(language, author.timeZone, tx.now),
    text: text.slice(0, MOST_TEXT),
  };
  return queueMail(tx, {
    to: author.email,
    kind: "answer",
    personId: author.id,
    messageId: `answer.${hash.toString("hex").slice(0, 24)}.${hashRecipient(author.id)}`,
    headers: mail.messageId && /^<[^<>\s]{1,200}>$/.test(mail.messageId) ? { answers: mail.messageId } : {},
    letter: {
      language,
      community,
      subject: words[kind].subject,
      parts: [
        ...sentences.map((sentence): EmailPart => ({ kind: "sentence", text: sentence })),
        ...(text === "" ? [] : [theirs]),
      ],
      act: null,
    },
  });
}

const answersToday = async (tx: Tx, personId: string) =>
  (
    await one(
      tx,
      sql<{
        n: number;
      }>`select count(*)::int as n from mails
        where person_id = ${personId} and kind = 'answer' and created_at > ${addMilliseconds(tx.now, -DAY)}`,
    )
  ).n;
