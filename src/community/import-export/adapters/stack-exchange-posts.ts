import type { FoundRecord } from "../archive/adapter.ts";
import type { Bundle } from "../archive/bundle-files.ts";
import { htmlToMarkdown } from "./html/html.ts";
import { readXmlRows, type XmlRow } from "./xml-rows.ts";

export const GROUP_ID = "site";
export type DumpFiles = { posts: string; users: string | undefined; comments: string | undefined };

/** Identifies the author by user id, or by name if the account was deleted. */
function authorKey(row: XmlRow, idKey: string, nameKey: string): string {
  const [id, name] = [row.of(idKey), row.of(nameKey)];
  return id ?? (name ? `name:${name.slice(0, 150)}` : "nobody");
}

export const postAuthor = (row: XmlRow) => authorKey(row, "OwnerUserId", "OwnerDisplayName");
export const commentAuthor = (row: XmlRow) => authorKey(row, "UserId", "UserDisplayName");

export const truncatedNote = (name: string, row: number): FoundRecord => ({
  at: name,
  note: `It is incomplete: it ends after row ${row}.`,
});

const creationDate = (row: XmlRow) => row.of("CreationDate") ?? "";
const compareDates = (one: XmlRow, other: XmlRow) =>
  creationDate(one) < creationDate(other) ? -1 : creationDate(one) > creationDate(other) ? 1 : 0;
export const isQuestionOrAnswer = (row: XmlRow) =>
  row.of("PostTypeId") === "1" || row.of("PostTypeId") === "2";

/**
 * A class, because it remembers imported posts, and the comments and answers whose post or question follows
 * later.
 */
export class DumpReader {
  #origin: string | undefined;
  #names: Map<string, string>;
  /** Id of the discussion of each imported post. */
  #placed = new Map<string, string>();
  /** Comments that precede their post, by post id. */
  #waiting = new Map<string, XmlRow[]>();
  /** Answers that precede their question, by question id. */
  #early = new Map<string, XmlRow[]>();
  /** Ids of accepted answers. */
  #accepted = new Set<string>();

  constructor(origin: string | undefined, names: Map<string, string>) {
    this.#origin = origin;
    this.#names = names;
  }

  /**
   * Yields posts and comments by date and reads each file once. Rows that precede their post are held until
   * it is read.
   */
  async *records(bundle: Bundle, { posts, comments }: DumpFiles): AsyncGenerator<FoundRecord> {
    const cut: FoundRecord[] = [];
    const commentTexts = comments
      ? readXmlRows(await bundle.read(comments), comments, (row) => cut.push(truncatedNote(comments, row)))
      : null;
    let next = await commentTexts?.next();
    let skipped = 0;
    for await (const row of readXmlRows(await bundle.read(posts), posts, (cutRow) =>
      cut.push(truncatedNote(posts, cutRow)),
    )) {
      for (
        ;
        next && !next.done && creationDate(next.value) < creationDate(row);
        next = await commentTexts!.next()
      )
        yield* this.#comment(next.value);
      if (isQuestionOrAnswer(row)) yield* this.#post(row);
      else skipped += 1;
    }
    for (; next && !next.done; next = await commentTexts!.next()) yield* this.#comment(next.value);
    yield* cut;
    if (skipped > 0)
      yield {
        at: "Posts.xml",
        note: `Skipped ${skipped} posts that are neither questions nor answers (such as descriptions of tags).`,
      };
    yield* this.#lost();
  }

  *#lost(): Generator<FoundRecord> {
    for (const [question, rest] of this.#early)
      yield {
        at: "Posts.xml",
        note: `Skipped ${rest.length} answers to question ${question}, which is missing.`,
      };
    for (const [post, rest] of this.#waiting)
      yield {
        at: "Comments.xml",
        note: `Skipped ${rest.length} comments on post ${post}, which is missing.`,
      };
  }

  *#post(row: XmlRow): Generator<FoundRecord> {
    const id = row.of("Id") ?? "";
    const at = `Posts.xml row ${row.number}`;
    const isQuestion = row.of("PostTypeId") === "1";
    const discussion = isQuestion ? id : (row.of("ParentId") ?? "");
    if (!isQuestion && this.#placed.get(discussion) !== discussion)
      return addWaiting(this.#early, discussion, row);
    if (isQuestion) yield { at, record: createQuestionRecord(row, id) };
    const accepted = isQuestion ? row.of("AcceptedAnswerId") : undefined;
    if (accepted) this.#accepted.add(accepted);
    const { body, dropped } = htmlToMarkdown(row.of("Body") ?? "", { site: this.#origin });
    if (dropped.length > 0) yield { at, note: `Removed from its text: ${dropped.join(", ")}.` };
    const credit = this.#credit(row, postAuthor(row), isQuestion ? `/questions/${id}` : `/a/${id}`);
    this.#placed.set(id, discussion);
    yield {
      at,
      record: {
        type: "post",
        id,
        discussion,
        author: postAuthor(row),
        body: `${body}\n\n${credit}`,
        ...(isQuestion
          ? {}
          : { replyTo: discussion, isAnswer: this.#accepted.delete(id), oldPaths: [`/a/${id}`] }),
        createdAt: row.of("CreationDate"),
        editedAt: row.of("LastEditDate"),
      },
    };
    const waiting = [
      ...(isQuestion ? takeWaiting(this.#early, id) : []),
      ...takeWaiting(this.#waiting, id),
    ].sort(compareDates);
    for (const it of waiting) yield* isQuestionOrAnswer(it) ? this.#post(it) : this.#comment(it);
  }

  *#comment(row: XmlRow): Generator<FoundRecord> {
    const [id, post] = [row.of("Id") ?? "", row.of("PostId") ?? ""];
    const discussion = this.#placed.get(post);
    if (discussion === undefined) return addWaiting(this.#waiting, post, row);
    const author = commentAuthor(row);
    const body = `${row.of("Text") ?? "…"}\n\n${this.#credit(row, author, `/posts/comments/${id}`)}`;
    yield {
      at: `Comments.xml row ${row.number}`,
      record: {
        type: "post",
        id: `comment:${id}`,
        discussion,
        author,
        replyTo: post,
        body,
        createdAt: row.of("CreationDate"),
      },
    };
  }

  /** Author, source link and licence. */
  #credit(row: XmlRow, author: string, path: string): string {
    const name = (this.#names.get(author) ?? "somebody").replace(/([[\]*_\\<>`])/g, "\\$1");
    const at = (words: string, where: string) =>
      this.#origin ? `[${words}](<${this.#origin}${where}>)` : words;
    const who = /^\d+$/.test(author) ? at(name, `/users/${author}`) : name;
    return `*${who} · ${at("Stack Exchange", path)} · ${formatLicence(row.of("ContentLicense"))}*`;
  }
}

function addWaiting(waiting: Map<string, XmlRow[]>, id: string, row: XmlRow): void {
  const rest = waiting.get(id);
  if (rest) rest.push(row);
  else waiting.set(id, [row]);
}

function takeWaiting(waiting: Map<string, XmlRow[]>, id: string): XmlRow[] {
  const rest = waiting.get(id) ?? [];
  waiting.delete(id);
  return rest;
}

/** Link to the licence in a row, such as "CC BY-SA 4.0". Posts without a recorded licence are under 3.0. */
function formatLicence(licence: string | undefined): string {
  const version = /(\d\.\d)/.exec(licence ?? "")?.[1] ?? "3.0";
  return `[CC BY-SA ${version}](<https://creativecommons.org/licenses/by-sa/${version}/>)`;
}

function createQuestionRecord(row: XmlRow, id: string) {
  const [closed, answered] = [row.of("ClosedDate"), row.of("AcceptedAnswerId")];
  return {
    type: "discussion",
    id,
    group: GROUP_ID,
    author: postAuthor(row),
    title: row.of("Title") ?? "",
    tags: (row.of("Tags") ?? "").split(/[<>|]+/).filter(Boolean),
    createdAt: row.of("CreationDate"),
    ...(closed && { lockedAt: closed }),
    ...(answered && { resolvedAt: row.of("LastActivityDate") ?? row.of("CreationDate") }),
    oldPaths: [`/questions/${id}`],
  };
}
