import { createHash } from "node:crypto";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { escapeLabel } from "#platform/markup";
import type { Adapter, FoundRecord } from "../../archive/adapter.ts";
import { MAX_BYTES } from "../../archive/bundle-files.ts";
import { listMailingLists, readUnpacked } from "./mbox-lists.ts";
import { type ArchivedMail, MailReader } from "./mbox-mails.ts";
import { sortMails } from "./mbox-sort.ts";

// Mailing lists as mbox files: each list is a group, in one file or one per month, and each thread a
// discussion. Threads follow In-Reply-To and References, else the subject of a reply. Emails are not shown:
// they only identify people.

export const mboxAdapter: Adapter = async function* (bundle, { now }) {
  const lists = listMailingLists(bundle);
  const files = lists.flatMap((it) => it.files);
  if (files[0] === undefined) throw new Refusal("invalid", "The archive contains no mbox file.");
  const people = new Set<string>();
  const strange: MailReader["strange"] = [];
  const room = { left: MAX_BYTES };
  for (const it of lists) {
    const [reading, list] = [new MailReader(it.name, now, bundle.extract), new MailingList(it.id, people)];
    for await (const mail of sortMails(reading.mails(it.files, (file) => readUnpacked(bundle, file, room))))
      yield* list.records(mail);
    yield* reading.notes;
    strange.push(...reading.strange);
  }
  if (strange[0] && strange.length === files.length)
    throw new Refusal("invalid", msg("{place}: {what}", { place: strange[0].file, what: strange[0].why }));
  for (const { file, why } of strange) yield { at: file, note: `Skipped: ${why}` };
};

/**
 * Shortens an id of more than 200 characters. A hash is appended, because two long ids may differ only at
 * their ends.
 */
const shortenId = (id: string) =>
  id.length <= 200 ? id : `${id.slice(0, 100)}…${createHash("sha256").update(id).digest("hex")}`;

type ThreadPosition = { discussion: string; post: string };

/** A class, because it remembers the threads of a list. */
class MailingList {
  #name: string;
  #people: Set<string>;
  #threads = new Map<string, ThreadPosition>();
  #bySubject = new Map<string, ThreadPosition>();
  #hasGroup = false;

  constructor(name: string, people: Set<string>) {
    this.#name = name;
    this.#people = people;
  }

  *records(mail: ArchivedMail): Generator<FoundRecord> {
    const { at, date: createdAt, author } = mail;
    if (!this.#hasGroup)
      yield {
        at,
        record: { type: "group", id: this.#name, name: mail.list, visibility: "private", createdAt },
      };
    this.#hasGroup = true;
    if (!this.#people.has(author.id)) yield { at, record: { type: "user", ...author, createdAt } };
    this.#people.add(author.id);
    for (const note of mail.notes) yield { at, note };
    yield* this.#post(mail);
  }

  *#post(mail: ArchivedMail): Generator<FoundRecord> {
    const { at, author, subject, date: createdAt, pictures } = mail;
    const id = shortenId(`${this.#name}/${mail.id ?? at}`);
    const answered = this.#answered(mail);
    const thread: ThreadPosition = { discussion: answered?.discussion ?? id, post: id };
    const written = { author: author.id, createdAt };
    const title = subject.title || "(no subject)";
    if (!answered) yield { at, record: { type: "discussion", id, group: this.#name, title, ...written } };
    for (const it of pictures)
      yield { at, record: { type: "file", ...it, as: "picture", owner: author.id, createdAt } };
    const body = [mail.words, ...pictures.map(showPicture)].filter(Boolean).join("\n\n") || "…";
    const more = { ...(answered && { replyTo: answered.post }), files: pictures.map((it) => it.id) };
    yield { at, record: { type: "post", id, discussion: thread.discussion, body, ...more, ...written } };
    if (mail.id) this.#threads.set(mail.id, thread);
    // Several threads may have the same subject: a reply without a reference is added to the latest one.
    if (subject.key && (!answered || !this.#bySubject.has(subject.key)))
      this.#bySubject.set(subject.key, thread);
  }

  #answered({ answers, subject }: ArchivedMail): ThreadPosition | undefined {
    const known = answers.flatMap((id) => this.#threads.get(id) ?? [])[0];
    return known ?? (subject.isReply ? this.#bySubject.get(subject.key) : undefined);
  }
}

const showPicture = ({ id, name }: ArchivedMail["pictures"][number]) =>
  `![${escapeLabel(name)}](/files/${id})`;
