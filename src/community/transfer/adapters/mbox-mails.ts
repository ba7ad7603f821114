import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import PostalMime, { decodeWords, type Email } from "postal-mime";
import { DAY, later } from "#platform/clock";
import type { Found } from "../archive/adapter.ts";
import { filled, isMoment } from "../archive/fields.ts";
import { markdownOf } from "./html.ts";
import { messagesOf } from "./mbox-messages.ts";
import { authorOf, headerOf, withoutAddresses } from "./mbox-people.ts";

/** What counts of a mail. */
export type Mail = {
  at: string;
  /** Its Message-ID; null where it has none. */
  id: string | null;
  /** What it says that it answers, the closest first. */
  answers: string[];
  /** Without what lists and replies put before it. */
  subject: string;
  callsItselfReply: boolean;
  date: string;
  author: ReturnType<typeof authorOf>;
  /** As the mail calls the list. */
  list: string;
  words: string;
  notes: string[];
};

/** Reads the mails of one list in the order of its file. A class, because it remembers which have come, and when the last was written. */
export class Reading {
  #name: string;
  #now: Date;
  #last = new Date(0).toISOString();
  /** Where each has come, and a hash of what it says. */
  #come = new Map<string, { at: string; said: string }>();
  /** What is to be said of what is no mail of it. */
  notes: Found[] = [];
  isEmpty = true;

  constructor(name: string, now: Date) {
    this.#name = name;
    this.#now = now;
  }

  async *mails(stream: Readable): AsyncGenerator<Mail> {
    for await (const { number, bytes } of messagesOf(stream)) {
      const at = `${this.#name} message ${number}`;
      const email = bytes && (await PostalMime.parse(bytes, { maxNestingDepth: 50 }).catch(() => null));
      if (number === 0) this.notes.push({ at: this.#name, note: "Left out: text that stands before its first message." });
      else if (bytes === null) this.notes.push({ at, note: "Left out: it is larger than 30 MB." });
      else if (!email) this.notes.push({ at, note: "Left out: it cannot be read." });
      else {
        const mail = this.#mailOf(at, email);
        this.isEmpty = false;
        if (!this.#isAgain(mail)) yield mail;
      }
    }
  }

  #mailOf(at: string, mail: Email): Mail {
    const date = dateOf(mail, this.#now);
    this.#last = date ?? this.#last;
    const { words, dropped } = wordsOf(mail);
    return {
      at,
      id: idsIn(headerOf(mail, "message-id"))[0] ?? null,
      answers: [...idsIn(headerOf(mail, "in-reply-to")), ...idsIn(headerOf(mail, "references")).toReversed()],
      subject: subjectOf(mail),
      callsItselfReply: REPLY.test((mail.subject ?? "").replace(LIST_TAG, "")),
      date: this.#last,
      author: authorOf(mail),
      list: listOf(mail, this.#name),
      words,
      notes: [
        ...(date ? [] : ["Its date cannot be read: it is given that of the message before."]),
        ...(dropped.length > 0 ? [`Left out of its text: ${dropped.join(", ")}.`] : []),
        ...(mail.attachments.length > 0
          ? [`Left out: ${mail.attachments.map(({ filename }) => filename ?? "an attachment").join(", ")}.`]
          : []),
      ],
    };
  }

  /** Who writes to a list and to its members is heard twice. */
  #isAgain({ at, id, words }: Mail): boolean {
    if (id === null) return false;
    const said = createHash("sha256").update(words).digest("base64");
    const before = this.#come.get(id);
    if (!before) this.#come.set(id, { at: at.slice(this.#name.length + 1), said });
    else if (before.said !== said) this.notes.push({ at, note: `Left out: ${before.at} has the same Message-ID, and another text.` });
    return before !== undefined;
  }
}

/** Some write whom they answer beside it, or when that was. */
const idsIn = (header: string): string[] => header.match(/<[^<>\s]{1,998}>/g) ?? header.split(/\s+/).filter(Boolean);

const NO_ZONE = /\d:\d\d(?:\s+\d{4})?\s*$/;
const ZONE = /\s+[A-Z]{1,5}\s*$/i;

/** Null for what is no date, or one to come. Where the zone is not told, or a name that nobody knows, it is of UTC. */
function dateOf(mail: Email, now: Date): string | null {
  const told = headerOf(mail, "date").slice(0, 200);
  const [at] = [NO_ZONE.test(told) ? `${told} UTC` : told, told.replace(ZONE, " UTC")]
    .map((it) => new Date(it))
    .filter((it) => isMoment(it) && it < later(now, DAY));
  return at?.toISOString() ?? null;
}

const REPLY = /^\s*(?:re|aw|sv|antw|tr|wg|fwd?)(?:\[\d+\])?\s*:\s*/i;
const LIST_TAG = /^\s*(?:\[[^\]]{1,40}\]\s*)+/;

function subjectOf(mail: Email): string {
  let subject = mail.subject ?? "";
  for (let before = ""; before !== subject;) {
    before = subject;
    subject = subject.replace(LIST_TAG, "").replace(REPLY, "");
  }
  return withoutAddresses(subject).trim();
}

function listOf(mail: Email, file: string): string {
  const told = decodeWords(headerOf(mail, "list-id"));
  const name = /^\s*"?([^"<]{2,})"?\s*</.exec(told)?.[1] ?? file.replace(/^.*\//, "").replace(/\.\w+$/, "");
  return filled(name.trim(), 2);
}

/** What was written, without the signature. Quotations stay quotations. */
function wordsOf(mail: Email): { words: string; dropped: string[] } {
  const turned = mail.text?.trim() ? { body: plainText(mail.text), dropped: [] } : markdownOf(mail.html ?? "");
  return { words: withoutAddresses(turned.body).trim(), dropped: turned.dropped };
}

const plainText = (text: string) =>
  text
    .replaceAll("\r\n", "\n")
    .replace(/\n-- \n[\s\S]*$/, "\n")
    // After quoted lines Markdown would take the answer for more of the quotation.
    .replace(/^(>.*)\n(?=[^>\n])/gm, "$1\n\n")
    .replace(/^(>+)(?=[^\s>])/gm, "$1 ");
