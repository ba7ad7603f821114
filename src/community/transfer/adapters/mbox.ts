import { createHash } from "node:crypto";
import PostalMime, { decodeWords, type Email } from "postal-mime";
import { Refusal } from "#platform/refusal";
import type { Adapter, Found } from "../archive/adapter.ts";
import { filled, isMoment } from "../archive/fields.ts";
import { markdownOf } from "./html.ts";
import { messagesOf } from "./mbox-messages.ts";
import { authorOf, headerOf, withoutAddresses } from "./mbox-people.ts";

// Mailing lists as mbox files: each file is a group, each thread a discussion. Threads hold together by In-Reply-To and
// References, or, where these lead nowhere, by the subject of what calls itself a reply. Addresses are not shown: they only
// say who is who.

export const mbox: Adapter = async function* (bundle) {
  const names = bundle.names.filter((name) => /\.(?:mbox|mbx|txt)$/i.test(name) || bundle.names.length === 1);
  if (names.length === 0) throw new Refusal("invalid", "There is no mbox in this archive.");
  const people = new Set<string>();
  const strange: string[] = [];
  for (const name of names) {
    const list = new List(name, people);
    for await (const { number, bytes } of messagesOf(await bundle.read(name))) {
      const at = `${name} message ${number}`;
      if (number === 0) yield { at: name, note: "Left out: text that stands before its first message." };
      else if (bytes === null) yield { at, note: "Left out: it is larger than 30 MB." };
      else yield* list.records(at, await PostalMime.parse(bytes, { maxNestingDepth: 50 }).catch(() => null));
    }
    if (list.isEmpty) strange.push(name);
  }
  if (strange.length === names.length) throw new Refusal("invalid", `${names[0]} is no mbox: ${NO_MBOX}`);
  for (const name of strange) yield { at: name, note: `Left out: it is no mbox: ${NO_MBOX}` };
};

const NO_MBOX = 'no line in it begins a message, such as "From ada@example.org Mon Mar  4 10:00:00 2019".';

type Thread = { discussion: string; post: string };

/** A class, because it remembers the threads of a list. */
class List {
  #name: string;
  #people: Set<string>;
  #threads = new Map<string, Thread>();
  #bySubject = new Map<string, Thread>();
  /** Where each has come, and a hash of what it says. */
  #come = new Map<string, { at: string; said: string }>();
  #last = new Date(0).toISOString();
  isEmpty = true;

  constructor(name: string, people: Set<string>) {
    this.#name = name;
    this.#people = people;
  }

  *records(at: string, mail: Email | null): Generator<Found> {
    const date = mail?.date && isMoment(new Date(mail.date)) ? new Date(mail.date).toISOString() : null;
    if (!mail) return yield { at, note: "Left out: it cannot be read." };
    if (!date) yield { at, note: "Its date cannot be read: it is given that of the message before." };
    this.#last = date ?? this.#last;
    if (this.isEmpty)
      yield {
        at,
        record: { type: "group", id: this.#name, name: groupName(mail, this.#name), visibility: "private", createdAt: this.#last },
      };
    this.isEmpty = false;
    const author = authorOf(mail);
    if (!this.#people.has(author.id)) yield { at, record: { type: "user", ...author, createdAt: this.#last } };
    this.#people.add(author.id);
    yield* this.#post(at, mail, author.id);
  }

  *#post(at: string, mail: Email, author: string): Generator<Found> {
    const id = `${this.#name}/${mail.messageId ?? at}`.slice(0, 200);
    const { words, dropped } = wordsOf(mail);
    const said = createHash("sha256").update(words).digest("base64");
    const before = this.#come.get(id);
    if (before) {
      // Who writes to a list and to its members is heard twice.
      if (before.said !== said) yield { at, note: `Left out: ${before.at} has the same Message-ID, and another text.` };
      return;
    }
    this.#come.set(id, { at: at.slice(this.#name.length + 1), said });
    const answered = this.#answered(mail);
    const subject = subjectOf(mail);
    const thread: Thread = { discussion: answered?.discussion ?? id, post: id };
    const createdAt = this.#last;
    if (!answered) yield { at, record: { type: "discussion", id, group: this.#name, author, title: subject || "(no subject)", createdAt } };
    if (dropped.length > 0) yield { at, note: `Left out of its text: ${dropped.join(", ")}.` };
    if (mail.attachments.length > 0)
      yield { at, note: `Left out: ${mail.attachments.map(({ filename }) => filename ?? "an attachment").join(", ")}.` };
    yield {
      at,
      record: {
        type: "post",
        id,
        discussion: thread.discussion,
        author,
        body: words || "…",
        createdAt,
        ...(answered && { replyTo: answered.post }),
      },
    };
    if (mail.messageId) this.#threads.set(mail.messageId, thread);
    const key = subject.toLowerCase();
    if (key && !this.#bySubject.has(key)) this.#bySubject.set(key, thread);
  }

  #answered(mail: Email): Thread | undefined {
    const named = [mail.inReplyTo, ...(mail.references?.split(/\s+/).toReversed() ?? [])];
    const known = named.flatMap((id) => (id && this.#threads.get(id)) || [])[0];
    const callsItselfReply = REPLY.test((mail.subject ?? "").replace(LIST_TAG, ""));
    return known ?? (callsItselfReply ? this.#bySubject.get(subjectOf(mail).toLowerCase()) : undefined);
  }
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

function groupName(mail: Email, file: string): string {
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
