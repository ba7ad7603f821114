import { createHash } from "node:crypto";
import PostalMime, { type Email } from "postal-mime";
import { z } from "zod";
import { maybeOne, sql, type Tx } from "#platform/database";
import { BOUNCE_TAG, readAddressTag, correctCharsets } from "#platform/mail";
import { issueMessage, type Message } from "#platform/messages";
import { hashSecret } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { NewMessage, sendMessage } from "#community/conversations";
import { NewReply, replyOrAwaitApproval } from "#community/discussions";
import { isAutomaticMail } from "./automatic-mail.ts";
import { countMailBounce, recordMailHash } from "./bounces.ts";
import { answerInvitation, findInvitationReply } from "./event-invitations.ts";
import type { MailContext } from "./mail-context.ts";
import { type MailAuthor, mailDroppedText, mailReplyRefusal } from "./mail-answers.ts";
import { readWholeText, readReply } from "./read-reply.ts";
import { touchLastSeen, type NotificationRecipient, getMailAuthor } from "./mail-recipient.ts";
import { createKnownLineCheck, loadMailedTexts } from "./reply-text/known-lines.ts";
import { replyMarkCode } from "./reply-text/reply-mark.ts";
import { fillMessage, mailMessagesFor } from "./messages/index.ts";

export type InboundResult =
  | "posted"
  /** The answer to an invitation was stored. */
  | "answered"
  /** The reply was rejected, and its author got the reason by mail. */
  | "refused"
  /** One of our mails bounced. */
  | "bounce"
  /** Duplicate mail. */
  | "known"
  /** An automatic mail, which is not answered. */
  | "automatic"
  /** The address is unknown or has expired. */
  | "nobody"
  | "unreadable";

const MAX_ATTACHMENT_NAMES = 5;

export type InboundContext = MailContext & {
  /** Translates a refusal's message into the given locale. */
  translate: (locale: string, message: Message) => Promise<string>;
};

/**
 * Processes one mail (RFC 5322 bytes) once. A reply is stored as a post, a message or an answer to an event,
 * by the same command as on pages and as the person to whom the reply address belongs. A bounce counts
 * against its address. A rejected reply is answered with the reason, unless it is automatic. Never throws
 * for the content of a mail.
 */
export async function processInboundMail(app: InboundContext, raw: Buffer): Promise<InboundResult> {
  if (app.replyBox === null) return "nobody";
  const mail = await parseMail(raw);
  if (!mail) return "unreadable";
  const tag = listReplyTags(mail, app.replyBox)[0];
  if (tag === undefined) return "nobody";
  const hash = hashOfMail(mail, raw, tag);
  if (tag.startsWith(BOUNCE_TAG))
    return app.database.inTransaction((tx) => countMailBounce(tx, { mail, tag, hash }));
  // Calendar programs mark the answers that people give in them as automatic.
  if (isAutomaticMail(mail) && !findInvitationReply(mail)) return "automatic";
  return postReply(app, { mail, tag, hash });
}

/** Parses a mail without its mbox envelope line. Forwarded mails remain attachments. */
const parseMail = (raw: Buffer): Promise<Email | null> =>
  PostalMime.parse(correctCharsets(withoutEnvelope(raw)), {
    maxNestingDepth: 20,
    forceRfc822Attachments: true,
  }).catch(() => null);

function withoutEnvelope(raw: Buffer): Buffer {
  if (raw.subarray(0, 5).toString("latin1") !== "From ") return raw;
  const end = raw.indexOf("\n");
  return end < 0 ? raw : raw.subarray(end + 1);
}

const readMailHeader = (mail: Email, key: string) => mail.headers.find((it) => it.key === key)?.value ?? "";

/** Tags of all our reply addresses among the mail's recipients, in any header. */
function listReplyTags(mail: Email, box: string): string[] {
  const listed = [...(mail.to ?? []), ...(mail.cc ?? [])]
    .flatMap((it) => [it, ...(it.group ?? [])])
    .map(({ address }) => address ?? "");
  const delivered = ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to"].flatMap((key) =>
    readMailHeader(mail, key).split(","),
  );
  return [...delivered, ...listed]
    .slice(0, 50)
    .flatMap((address) => readAddressTag(box, address.replace(/[<>]/g, "")) ?? []);
}

/** A mail is identified by its Message-ID, else by its bytes, separately for each of our addresses. */
const hashOfMail = (mail: Email, raw: Buffer, tag: string) =>
  hashSecret(`mail-in:${tag}:${mail.messageId || createHash("sha256").update(raw).digest("hex")}`);

type Reply = { mail: Email; tag: string; hash: Buffer };
type ReplyPlace = {
  personId: string;
  kind: "discussion" | "conversation" | "event";
  id: string;
  latestId: string | null;
  email: string | null;
  isExpired: boolean;
};

async function postReply(app: InboundContext, { mail, tag, hash }: Reply): Promise<InboundResult> {
  const community = (await app.settings.get()).name;
  let author: MailAuthor | null = null;
  let asWritten = "";
  try {
    return await app.database.inTransaction(async (tx) => {
      const place = await findPlace(tx, tag);
      author = place ? await getMailAuthor(tx, place.personId) : null;
      if (!place || !author) return "nobody";
      if (place.kind !== "event" && isAutomaticMail(mail)) return "automatic";
      if (!(await recordMailHash(tx, hash))) return "known";
      if (place.kind === "event") {
        assertOwnMail(mail, place);
        await answerInvitation(tx, author, { eventId: place.id, reply: findInvitationReply(mail) });
        await touchLastSeen(tx, author.id);
        return "answered";
      }
      const read = { ...place, kind: place.kind };
      const isKnown = createKnownLineCheck(await loadMailedTexts(tx, read, author, community));
      const reply = readReply(mail, { code: replyMarkCode(tag), community, isKnown });
      asWritten = reply.asWritten;
      assertOwnMail(mail, place);
      await write(tx, author, place, {
        body: appendAttachmentNames(author, reply.text, mail),
        clientId: toUuid(hash),
      });
      await touchLastSeen(tx, author.id);
      if (reply.leftOut !== "")
        await mailDroppedText(tx, author, { mail, hash, community, text: reply.leftOut });
      return "posted";
    });
  } catch (error) {
    const sentence = refusalMessage(error);
    if (sentence === null || author === null) throw error;
    const to: MailAuthor = author;
    const why = await app.translate(to.locale, sentence);
    const text = asWritten || readWholeText(mail);
    return app.database.inTransaction(async (tx) => {
      if (!(await recordMailHash(tx, hash))) return "known";
      await mailReplyRefusal(tx, to, why, { mail, hash, community, text });
      return "refused";
    });
  }
}

/** @throws `not-allowed` for another sender, `gone` for an expired address */
function assertOwnMail(mail: Email, { email, isExpired }: ReplyPlace): void {
  if (mail.from?.address?.toLowerCase() !== email?.toLowerCase()) throw wrongSender();
  if (isExpired) throw expired();
}

const expired = () =>
  new Refusal(
    "gone",
    "This reply address has expired. Reply to a newer mail, or write in the discussion on the website.",
  );
const wrongSender = () =>
  new Refusal("not-allowed", "Your email was sent from an address that is not the one of your account.");

/** The message of a refusal; null for other errors, which are bugs. */
function refusalMessage(error: unknown): Message | null {
  if (error instanceof Refusal) return error.descriptor;
  return error instanceof z.ZodError ? issueMessage(error.issues[0]!) : null;
}

const findPlace = (tx: Tx, tag: string) =>
  maybeOne(
    tx,
    sql<ReplyPlace>`
      select r.person_id as "personId", r.place_kind as kind, r.place_id as id, r.latest_id as "latestId",
        p.email,
        r.used_until <= ${tx.now} as "isExpired"
      from reply_addresses r join people p on p.id = r.person_id where r.token = ${tag}`,
  );

/** Uses the same commands and permission checks as pages. */
const write = (
  tx: Tx,
  { viewer }: NotificationRecipient,
  replyTarget: ReplyPlace,
  it: { body: string; clientId: string },
) =>
  replyTarget.kind === "conversation"
    ? sendMessage(tx, viewer, NewMessage.parse({ conversationId: replyTarget.id, ...it }))
    : replyOrAwaitApproval(
        tx,
        viewer,
        NewReply.parse({
          discussionId: replyTarget.id,
          ...(replyTarget.latestId && { replyTo: replyTarget.latestId }),
          ...it,
        }),
      );

/** Appends the names of the mail's attachments, since the attachments themselves are dropped. */
function appendAttachmentNames(
  { locale }: NotificationRecipient,
  body: string,
  { attachments }: Email,
): string {
  const names = attachments
    .filter(({ disposition, related }) => disposition === "attachment" && !related)
    .slice(0, MAX_ATTACHMENT_NAMES)
    .map(({ filename }) => (filename ?? "?").replace(/[^\p{L}\p{N} ._-]/gu, "").slice(0, 80) || "?");
  if (body === "" || names.length === 0) return body;
  return `${body}\n\n${fillMessage(mailMessagesFor(locale).words.attachments, { names: names.join(", ") })}`;
}

/** The mail's hash as a client id: a UUID of version 8. */
function toUuid(hash: Buffer): string {
  const hex = hash.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
