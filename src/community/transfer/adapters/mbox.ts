import { createHash } from "node:crypto";
import { Refusal } from "#platform/refusal";
import type { Adapter, Found } from "../archive/adapter.ts";
import { MOST_BYTES } from "../archive/bundle.ts";
import { listsIn, unpacked } from "./mbox-lists.ts";
import { type Mail, Reading } from "./mbox-mails.ts";
import { inOrder } from "./mbox-order.ts";

// Mailing lists as mbox files: each list is a group, be it one file or one for each month, each thread a discussion. Threads
// hold together by In-Reply-To and References, or, where these lead nowhere, by the subject of what calls itself a reply.
// Addresses are not shown: they only say who is who.

export const mbox: Adapter = async function* (bundle, { now }) {
  const lists = listsIn(bundle);
  const files = lists.flatMap((it) => it.files);
  if (files[0] === undefined) throw new Refusal("invalid", "There is no mbox in this archive.");
  const people = new Set<string>();
  const strange: Reading["strange"] = [];
  const room = { left: MOST_BYTES };
  for (const it of lists) {
    const [reading, list] = [new Reading(it.name, now), new List(it.id, people)];
    for await (const mail of inOrder(reading.mails(it.files, (file) => unpacked(bundle, file, room)))) yield* list.records(mail);
    yield* reading.notes;
    strange.push(...reading.strange);
  }
  if (strange[0] && strange.length === files.length) throw new Refusal("invalid", `${strange[0].file}: ${strange[0].why}`);
  for (const { file, why } of strange) yield { at: file, note: `Left out: ${why}` };
};

/** Ids that are too long for one may differ in their ends alone. */
const shortened = (id: string) => (id.length <= 200 ? id : `${id.slice(0, 100)}…${createHash("sha256").update(id).digest("hex")}`);

type Thread = { discussion: string; post: string };

/** A class, because it remembers the threads of a list. */
class List {
  #name: string;
  #people: Set<string>;
  #threads = new Map<string, Thread>();
  #bySubject = new Map<string, Thread>();
  #hasGroup = false;

  constructor(name: string, people: Set<string>) {
    this.#name = name;
    this.#people = people;
  }

  *records(mail: Mail): Generator<Found> {
    const { at, date: createdAt, author } = mail;
    if (!this.#hasGroup) yield { at, record: { type: "group", id: this.#name, name: mail.list, visibility: "private", createdAt } };
    this.#hasGroup = true;
    if (!this.#people.has(author.id)) yield { at, record: { type: "user", ...author, createdAt } };
    this.#people.add(author.id);
    for (const note of mail.notes) yield { at, note };
    yield* this.#post(mail);
  }

  *#post(mail: Mail): Generator<Found> {
    const { at, author, subject, date: createdAt } = mail;
    const id = shortened(`${this.#name}/${mail.id ?? at}`);
    const answered = this.#answered(mail);
    const thread: Thread = { discussion: answered?.discussion ?? id, post: id };
    const written = { author: author.id, createdAt };
    if (!answered) yield { at, record: { type: "discussion", id, group: this.#name, title: subject || "(no subject)", ...written } };
    const replyTo = answered && { replyTo: answered.post };
    yield { at, record: { type: "post", id, discussion: thread.discussion, body: mail.words || "…", ...replyTo, ...written } };
    if (mail.id) this.#threads.set(mail.id, thread);
    const key = subject.toLowerCase();
    // Of several threads with one subject, a reply that names none is to the latest.
    if (key && (!answered || !this.#bySubject.has(key))) this.#bySubject.set(key, thread);
  }

  #answered({ answers, callsItselfReply, subject }: Mail): Thread | undefined {
    const known = answers.flatMap((id) => this.#threads.get(id) ?? [])[0];
    return known ?? (callsItselfReply ? this.#bySubject.get(subject.toLowerCase()) : undefined);
  }
}
