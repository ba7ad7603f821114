import { createHash } from "node:crypto";
import { decodeWords, type Email } from "postal-mime";
import { DAY, addMilliseconds } from "#platform/clock";
import { parseMail } from "#platform/mail";
import { escapeMarkdown } from "#platform/markup";
import { Refusal } from "#platform/refusal";
import type { FoundRecord } from "../../archive/adapter.ts";
import { padWithDots, isValidMoment } from "../../archive/record-fields.ts";
import { htmlToMarkdown } from "../html/html.ts";
import { isGzipError, isSingleMail } from "./mbox-lists.ts";
import { readMessages, type RawMessage } from "./mbox-messages.ts";
import { type ExtractedPicture, extractPictures, type ExtractPicture } from "./mbox-attachments.ts";
import { parseAuthor, readHeader, maskAddressesInMail } from "./mbox-people.ts";
import { readSubject, type Subject } from "./mbox-subjects.ts";

/** The parts of a mail that are imported. */
export type ArchivedMail = {
  at: string;
  id: string | null;
  /** Message-IDs of the mails that this one replies to, closest first. */
  answers: string[];
  subject: Subject;
  /**
   * Date of this mail, or else of an earlier mail of the list. Empty if there is neither: the mail then
   * gets the date of the first dated mail later.
   */
  date: string;
  author: ReturnType<typeof parseAuthor>;
  /** Name of the mailing list according to the mail's headers. */
  list: string;
  words: string;
  /** Pictures of the mail, placed after its text. */
  pictures: ExtractedPicture[];
  notes: string[];
};

const NOT_MBOX =
  'not an mbox: no line begins a message, such as "From ada@example.org Mon Mar  4 10:00:00 2019".';

/** Maximum number of undated mails held until a dated one follows. */
const MAX_UNDATED = 1_000;

/**
 * Reads the mails of one list in the order of its files. A class, because it remembers which mails it has
 * read and the last date.
 */
export class MailReader {
  #list: string;
  #now: Date;
  #extract: ExtractPicture;
  #last: string | null = null;
  #waiting: ArchivedMail[] = [];
  /** Mails read so far, by Message-ID: position in the archive, and a hash of the text. */
  #seenMails = new Map<string, { at: string; hash: string }>();
  /** Notes on text that is not a mail. */
  notes: FoundRecord[] = [];
  /** Files from which nothing is imported, with the reason as a sentence. */
  strange: { file: string; why: string }[] = [];

  constructor(list: string, now: Date, extract: ExtractPicture) {
    this.#list = list;
    this.#now = now;
    this.#extract = extract;
  }

  /**
   * The mails of all files, each with a date: undated mails at the beginning get the date of the first dated
   * mail.
   */
  async *mails(files: string[], open: (file: string) => AsyncIterable<Buffer>): AsyncGenerator<ArchivedMail> {
    for (const file of files) {
      let isEmpty = true;
      for await (const mail of this.#mailsOf(file, open(file))) {
        isEmpty = false;
        this.#waiting.push(mail);
        if (this.#last === null && this.#waiting.length < MAX_UNDATED) continue;
        yield* this.#dated();
      }
      if (isEmpty && this.strange.at(-1)?.file !== file) this.strange.push({ file, why: NOT_MBOX });
    }
    yield* this.#dated();
  }

  *#dated(): Generator<ArchivedMail> {
    const whose = this.#last === null ? "the time of the import" : "the date of the first message with one";
    const date = (this.#last ??= this.#now.toISOString());
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const it of waiting)
      if (!this.#isAgain(it))
        yield it.date
          ? it
          : { ...it, date, notes: [`Its date cannot be read and was set to ${whose}.`, ...it.notes] };
  }

  async *#mailsOf(file: string, stream: AsyncIterable<Buffer>): AsyncGenerator<ArchivedMail> {
    let last = 0;
    try {
      for await (const one of readMessages(stream, { isSingle: isSingleMail(file) })) {
        last = one.number;
        yield* this.#read(file, one);
      }
    } catch (error) {
      if (error instanceof Refusal && last === 0) this.strange.push({ file, why: error.message });
      if (error instanceof Refusal && last > 0)
        this.notes.push({
          at: file,
          note: `Skipped everything after its message ${last}: ${error.message}`,
        });
      if (error instanceof Refusal) return;
      if (!isGzipError(error)) throw error;
      this.notes.push({
        at: file,
        note: `It is damaged or incomplete: skipped everything after its message ${last}.`,
      });
    }
  }

  async *#read(file: string, { number, bytes }: RawMessage): AsyncGenerator<ArchivedMail> {
    const at = `${file} message ${number}`;
    const email = bytes && (await parseMail(bytes).catch(() => null));
    if (number === 0) this.notes.push({ at: file, note: "Skipped: text before its first message." });
    else if (bytes === null) this.notes.push({ at, note: "Skipped: larger than 30 MB." });
    else if (!email) this.notes.push({ at, note: "Skipped: unreadable." });
    else yield await this.#mailOf(at, email);
  }

  async #mailOf(at: string, mail: Email): Promise<ArchivedMail> {
    const date = parseDate(mail, this.#now);
    this.#last = date ?? this.#last;
    const { words, dropped } = extractBody(mail);
    const { pictures, others } = await extractPictures(at, mail.attachments, this.#extract);
    return {
      at,
      id: parseMessageIds(readHeader(mail, "message-id"))[0] ?? null,
      answers: [
        ...parseMessageIds(readHeader(mail, "in-reply-to")),
        ...parseMessageIds(readHeader(mail, "references")).toReversed(),
      ],
      subject: readSubject(mail.subject ?? ""),
      date: this.#last ?? "",
      author: parseAuthor(mail),
      list: findListName(mail, this.#list),
      words,
      pictures,
      notes: [
        ...(date || this.#last === null
          ? []
          : ["Its date cannot be read and was set to that of the previous message."]),
        ...(dropped.length > 0 ? [`Removed from its text: ${dropped.join(", ")}.`] : []),
        ...(others.length > 0 ? [`Skipped: ${others.join(", ")}.`] : []),
      ],
    };
  }

  /**
   * Whether the mail is a duplicate: a mail that was sent to a list and also to its members is in the archive
   * twice.
   */
  #isAgain({ at, id, words }: ArchivedMail): boolean {
    if (id === null) return false;
    const hash = createHash("sha256").update(words).digest("base64");
    const before = this.#seenMails.get(id);
    const file = at.replace(/message \d+$/, "");
    if (!before) this.#seenMails.set(id, { at, hash });
    else if (before.hash !== hash)
      this.notes.push({
        at,
        note: `Skipped: ${before.at.replace(file, "")} has the same Message-ID and a different text.`,
      });
    return before !== undefined;
  }
}

/** The Message-IDs in a header. Some mail programs add the name or date of the answered mail. */
const parseMessageIds = (header: string): string[] =>
  header.match(/<[^<>\s]{1,998}>/g) ?? header.split(/\s+/).filter(Boolean);

const NO_ZONE = /\d:\d\d(?:\s+\d{4})?\s*$/;
const ZONE = /\s+[A-Z]{1,5}\s*$/i;

/** Null for an invalid or future date. Without a known zone the date is read as UTC. */
function parseDate(mail: Email, now: Date): string | null {
  const date = readHeader(mail, "date").slice(0, 200);
  const [at] = [NO_ZONE.test(date) ? `${date} UTC` : date, date.replace(ZONE, " UTC")]
    .map((it) => new Date(it))
    .filter((it) => isValidMoment(it) && it < addMilliseconds(now, DAY));
  return at?.toISOString() ?? null;
}

function findListName(mail: Email, list: string): string {
  const words = decodeWords(readHeader(mail, "list-id"));
  const name = /^\s*"?([^"<]{2,})"?\s*</.exec(words)?.[1] ?? list;
  return padWithDots(name.trim(), 2);
}

/** The text without its signature. Quotations are kept. */
function extractBody(mail: Email): { words: string; dropped: string[] } {
  if (mail.text?.trim()) return { words: normalizeText(mail, mail.text), dropped: [] };
  const { body, dropped } = htmlToMarkdown(mail.html ?? "");
  return { words: maskAddressesInMail(mail, body).trim(), dropped };
}

const normalizeText = (mail: Email, text: string) =>
  escapeMarkdown(
    maskAddressesInMail(mail, text.replaceAll("\r\n", "\n").replace(/\n-- \n[\s\S]*$/, "\n"))
      // Quote signs may be separated by spaces, or directly before the text.
      .replace(/^(>+)(?=[^\s>])/gm, "$1 ")
      .trim(),
  )
    // After a quotation Markdown would treat the answer as part of it.
    .replace(/^(>.*)\n(?=[^>\n])/gm, "$1\n\n");
