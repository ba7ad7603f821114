import { createHash } from "node:crypto";
import PostalMime, { type Email } from "postal-mime";
import { DAY, later } from "#platform/clock";
import { maybeOne, one, run, sql, type Tx } from "#platform/database";
import { BOUNCE, BOUNCE_TAG, countBounce, post, tagOf } from "#platform/mail";
import { hashOf } from "#platform/ids";
import { Refusal } from "#platform/refusal";
import { NewMessage, sendMessage } from "#community/conversations";
import { NewReply, replyOrWait } from "#community/discussions";
import type { MailHouse } from "./house.ts";
import { markOf } from "./mark.ts";
import { ownWords, wordsOfHtml } from "./quotes.ts";
import { noteHeard, type Reader, writerFor } from "./recipient.ts";
import { fill, momentFor, wordsFor } from "./words/index.ts";

/** What became of a mail that came in. */
export type Received =
  | "posted"
  /** It could not stand where it was meant to; its author has been told why, by mail. */
  | "refused"
  /** One of ours that came back. */
  | "bounce"
  /** It was read before. */
  | "known"
  /** Written by a program: nobody answers that. */
  | "automatic"
  /** For no address of ours, or one that leads nowhere any more. */
  | "nobody"
  | "unreadable";

/** Answers to answers that could not be posted, to one person in a day. */
const MOST_ANSWERS = 5;
const MOST_NAMED = 5;

export type InHouse = MailHouse & {
  /** A sentence of a refusal in somebody's language. */
  say: (locale: string, sentence: string) => Promise<string>;
};

/**
 * Reads one mail (the bytes of RFC 5322): an answer becomes a post or message of whoever it was addressed for, by the verb that
 * pages use, once, however often it is delivered; a mail of ours that came back counts against its address. What is refused is
 * answered in words, unless a program wrote it. Never throws for what is in the mail.
 */
export async function takeIn(house: InHouse, raw: Buffer): Promise<Received> {
  if (house.replyBox === null) return "nobody";
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 20 }).catch(() => null);
  if (!mail) return "unreadable";
  const tag = tagsIn(mail, house.replyBox)[0];
  if (tag === undefined) return "nobody";
  const name = nameOf(mail, raw, tag);
  if (tag.startsWith(BOUNCE_TAG)) return house.database.inTransaction((tx) => cameBack(tx, { tag, raw, name }));
  if (isAutomatic(mail)) return "automatic";
  return answered(house, { mail, tag, name });
}

const header = (mail: Email, key: string) => mail.headers.find((it) => it.key === key)?.value ?? "";

/** The tags of all addresses of ours that it was sent to, whatever stands in `To`. */
function tagsIn(mail: Email, box: string): string[] {
  const listed = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap((it) => [it, ...(it.group ?? [])]).map(({ address }) => address ?? "");
  const delivered = ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to"].flatMap((key) => header(mail, key).split(","));
  return [...delivered, ...listed].slice(0, 50).flatMap((address) => tagOf(box, address.replace(/[<>]/g, "")) ?? []);
}

/** A mail is known by its own name; without one by all of it. To two addresses of ours it is two. */
const nameOf = (mail: Email, raw: Buffer, tag: string) =>
  hashOf(`mail-in:${tag}:${mail.messageId || createHash("sha256").update(raw).digest("hex")}`);

/** RFC 3834, and what those do who do not know it. */
function isAutomatic(mail: Email): boolean {
  const submitted = header(mail, "auto-submitted").trim().toLowerCase();
  return (
    (submitted !== "" && submitted !== "no") ||
    /^(bulk|junk|list|auto_reply)$/i.test(header(mail, "precedence").trim()) ||
    header(mail, "list-id") !== "" ||
    header(mail, "x-autoreply") !== "" ||
    /^<\s*>$/.test(header(mail, "return-path").trim()) ||
    /^(mailer-daemon|postmaster|no-?reply)@/i.test(mail.from?.address ?? "")
  );
}

/** True for the first time. */
const isNew = async (tx: Tx, name: Buffer) =>
  (await run(tx, sql`insert into mails_received (message_hash, received_at) values (${name}, ${tx.now}) on conflict do nothing`)) > 0;

/** Counts a mail of ours that came back, once; one that is only late, or a note that somebody is away, does not count. */
async function cameBack(tx: Tx, { tag, raw, name }: { tag: string; raw: Buffer; name: Buffer }): Promise<Received> {
  const id = tag.slice(BOUNCE_TAG.length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!/^[0-9a-f-]{36}$/.test(id)) return "nobody";
  const report = raw.subarray(0, 200_000).toString("latin1");
  const action = /^Action:\s*(\w+)/im.exec(report)?.[1]?.toLowerCase();
  const status = /^Status:\s*([245])\.\d+\.\d+/im.exec(report)?.[1];
  if (action !== "failed" || status === undefined || status === "2") return "automatic";
  if (!(await isNew(tx, name))) return "known";
  const mail = await maybeOne(
    tx,
    sql<{ to: string }>`
      update mails set failure = 'It came back.' where id = ${id} and failure is null returning recipient as "to"`,
  );
  if (!mail) return "known";
  await countBounce(tx, mail.to, status === "5" ? BOUNCE.hard : BOUNCE.soft, tx.now);
  return "bounce";
}

type Author = NonNullable<Awaited<ReturnType<typeof writerFor>>>;
type Answer = { mail: Email; tag: string; name: Buffer };
type Place = { personId: string; kind: "discussion" | "conversation"; id: string; latestId: string | null; email: string | null };

async function answered(house: InHouse, { mail, tag, name }: Answer): Promise<Received> {
  const body = ownWords(mail.text?.trim() ? mail.text : wordsOfHtml(mail.html ?? ""));
  let author: Author | null = null;
  try {
    return await house.database.inTransaction(async (tx) => {
      const place = await placeOf(tx, tag);
      author = place ? await writerFor(tx, place.personId) : null;
      if (!place || !author) return "nobody";
      if (!(await isNew(tx, name))) return "known";
      if (mail.from?.address?.toLowerCase() !== place.email?.toLowerCase()) throw otherAddress();
      await say(tx, author, place, { body: withNames(author, body, mail), clientId: asId(name) });
      await noteHeard(tx, author.id);
      return "posted";
    });
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === null || author === null) throw error;
    const { locale }: Author = author;
    const why = { sentence: await house.say(locale, sentence), community: (await house.settings.get()).name };
    return tellWhy(house, author, { ...why, body, mail, name });
  }
}

const otherAddress = () => new Refusal("not-allowed", "It came from another address than the one that your account has.");

/** The sentence of a refusal; null for what is a bug. */
function sentenceOf(error: unknown): string | null {
  if (error instanceof Refusal) return error.message;
  const issue = (error as { name?: string; issues?: { message: string }[] }).issues?.[0];
  return issue ? issue.message : null;
}

const placeOf = (tx: Tx, tag: string) =>
  maybeOne(
    tx,
    sql<Place>`
      select r.person_id as "personId", r.place_kind as kind, r.place_id as id, r.latest_id as "latestId", p.email
      from reply_addresses r join people p on p.id = r.person_id where r.token = ${tag} and r.used_until > ${tx.now}`,
  );

/** The same verbs as on the page: whoever may not write there any more is refused there, too. */
const say = (tx: Tx, { viewer }: Reader, place: Place, it: { body: string; clientId: string }) =>
  place.kind === "conversation"
    ? sendMessage(tx, viewer, NewMessage.parse({ conversationId: place.id, ...it }))
    : replyOrWait(tx, viewer, NewReply.parse({ discussionId: place.id, ...(place.latestId && { replyTo: place.latestId }), ...it }));

/** What was attached is named and left out. */
function withNames({ locale }: Reader, body: string, { attachments }: Email): string {
  const names = attachments
    .filter(({ disposition, related }) => disposition === "attachment" && !related)
    .slice(0, MOST_NAMED)
    .map(({ filename }) => (filename ?? "?").replace(/[^\p{L}\p{N} ._-]/gu, "").slice(0, 80) || "?");
  if (body === "" || names.length === 0) return body;
  return `${body}\n\n${fill(wordsFor(locale).words.attachments, { names: names.join(", ") })}`;
}

/** The hash of a mail's name as the name of a submission: a UUID of our own making (version 8). */
function asId(name: Buffer): string {
  const hex = name.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

type Why = { sentence: string; community: string; body: string; mail: Email; name: Buffer };

/** Writes to the address of the account, never to where the mail came from: that could be anybody's. */
const tellWhy = (house: InHouse, author: Author, { sentence, community, body, mail, name }: Why): Promise<Received> =>
  house.database.inTransaction(async (tx) => {
    if (!(await isNew(tx, name))) return "known";
    if (!author.email || (await answersToday(tx, author.id)) >= MOST_ANSWERS) return "refused";
    const { language, words } = wordsFor(author.locale);
    const yours = {
      kind: "said" as const,
      by: words.refused.yours,
      at: momentFor(language, author.timeZone, tx.now),
      text: body.slice(0, 5_000),
    };
    await post(tx, {
      to: author.email,
      kind: "answer",
      personId: author.id,
      messageId: `answer.${name.toString("hex").slice(0, 24)}.${markOf(author.id)}`,
      headers: mail.messageId && /^<[^<>\s]{1,200}>$/.test(mail.messageId) ? { answers: mail.messageId } : {},
      letter: {
        language,
        community,
        subject: words.refused.subject,
        parts: [
          { kind: "sentence", text: fill(words.hello, { name: author.name }) },
          { kind: "sentence", text: words.refused.sentence },
          { kind: "sentence", text: sentence },
          ...(body === "" ? [] : [yours]),
        ],
        act: null,
      },
    });
    return "refused";
  });

const answersToday = async (tx: Tx, personId: string) =>
  (
    await one(
      tx,
      sql<{
        n: number;
      }>`select count(*)::int as n from mails where person_id = ${personId} and kind = 'answer' and created_at > ${later(tx.now, -DAY)}`,
    )
  ).n;
