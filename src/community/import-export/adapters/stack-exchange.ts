import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { getOwn } from "#platform/own-property";
import type { Adapter, FoundRecord } from "../archive/adapter.ts";
import type { Bundle } from "../archive/bundle-files.ts";
import { padWithDots } from "../archive/record-fields.ts";
import { resultOrFault } from "../archive/text-lines.ts";
import { htmlToMarkdown } from "./html/html.ts";
import { countRows, readXmlRows, type XmlRow } from "./xml-rows.ts";

// Reads a Stack Exchange dump: Posts.xml, Users.xml and Comments.xml, each sorted by id and thus by date. A
// question becomes a discussion; its answers and comments become posts in the order of writing. Each post
// ends with author, source and licence, as the licence requires.

export const stackExchangeAdapter: Adapter = async function* (bundle, { site }) {
  const { others, ...files } = findDumpFiles(bundle);
  for (const at of others)
    yield { at, note: "Skipped: it belongs to another dump. Import that one separately." };
  const origin = site?.replace(/\/$/, "");
  if (!origin)
    yield {
      at: bundle.name,
      note: "Without --site there are no links to the sources, which the licence requires.",
    };
  const names = new Map<string, string>();
  yield* readUsers(bundle, files, names);
  yield { at: "Posts.xml", record: createSiteGroup(bundle, origin) };
  yield* new DumpReader(origin, names).records(bundle, files);
  yield* reportSkippedFiles(bundle, files.posts);
};

/** Files of a dump that are not imported. */
const SKIPPED_FILES: Record<string, string> = {
  "votes.xml": "votes",
  "posthistory.xml": "earlier versions",
  "postlinks.xml": "links between posts",
  "tags.xml": "tags",
  "badges.xml": "badges",
};

/** Reports the row counts of these files, so that skipped data is visible. */
async function* reportSkippedFiles(bundle: Bundle, posts: string): AsyncGenerator<FoundRecord> {
  const folder = posts.slice(0, -"posts.xml".length);
  for (const at of bundle.names.filter((it) => it.startsWith(folder))) {
    const what = getOwn(SKIPPED_FILES, at.slice(folder.length).toLowerCase());
    if (!what) continue;
    const rows = await resultOrFault(async () => countRows(await bundle.read(at)));
    yield { at, note: `Skipped: ${"fault" in rows ? rows.fault : `${rows.whole} ${what}.`}` };
  }
}

const GROUP_ID = "site";
type DumpFiles = { posts: string; users: string | undefined; comments: string | undefined };

/**
 * Finds the files of one dump, which are in one folder: ids are unique only within a dump. `others` are the
 * Posts.xml files of further dumps.
 */
function findDumpFiles(bundle: Bundle): DumpFiles & { others: string[] } {
  const [posts, ...others] = bundle.names.filter((it) => /(?:^|\/)posts\.xml$/i.test(it));
  if (!posts) throw new Refusal("invalid", "The archive contains no Posts.xml.");
  const folder = posts.slice(0, -"posts.xml".length);
  const find = (name: string) =>
    bundle.names.find((it) => it.startsWith(folder) && it.slice(folder.length).toLowerCase() === name);
  return { posts, users: find("users.xml"), comments: find("comments.xml"), others };
}

function createSiteGroup(bundle: Bundle, origin: string | undefined) {
  const name = origin ? new URL(origin).hostname : bundle.name.replace(/\.\w+$/, "");
  return {
    type: "group",
    id: GROUP_ID,
    name: padWithDots(name, 2),
    purpose: "Questions and answers.",
    visibility: "public",
    joinPolicy: "open",
  };
}

/** Identifies the author by user id, or by name if the account was deleted. */
function authorKey(row: XmlRow, idKey: string, nameKey: string): string {
  const [id, name] = [row.of(idKey), row.of(nameKey)];
  return id ?? (name ? `name:${name.slice(0, 150)}` : "nobody");
}

const postAuthor = (row: XmlRow) => authorKey(row, "OwnerUserId", "OwnerDisplayName");
const commentAuthor = (row: XmlRow) => authorKey(row, "UserId", "UserDisplayName");

/** Yields only people who wrote something: most users in the list never did. */
async function* readUsers(
  bundle: Bundle,
  { posts, users, comments }: DumpFiles,
  names: Map<string, string>,
): AsyncGenerator<FoundRecord> {
  const writers = new Set<string>();
  const onCut = (row: number) => {
    if (row === 0)
      throw new Refusal("invalid", msg("{posts} cannot be read: it ends before its first row.", { posts }));
  };
  for await (const row of readXmlRows(await bundle.read(posts), posts, onCut))
    if (isQuestionOrAnswer(row)) writers.add(postAuthor(row));
  if (comments)
    for await (const row of readXmlRows(await bundle.read(comments), comments))
      writers.add(commentAuthor(row));
  const cut: FoundRecord[] = [];
  if (users)
    for await (const row of readXmlRows(await bundle.read(users), users, (cutRow) =>
      cut.push(truncatedNote(users, cutRow)),
    )) {
      const id = row.of("Id") ?? "";
      if (!writers.delete(id)) continue;
      const name = row.of("DisplayName") ?? `user${id}`;
      names.set(id, name);
      const at = `Users.xml row ${row.number}`;
      const { body, dropped } = htmlToMarkdown(row.of("AboutMe") ?? "");
      if (dropped.length > 0) yield { at, note: `Removed from the profile: ${dropped.join(", ")}.` };
      yield {
        at,
        record: {
          type: "user",
          id,
          username: name,
          name,
          bio: body.slice(0, 10_000),
          location: row.of("Location"),
          createdAt: row.of("CreationDate"),
        },
      };
    }
  yield* cut;
  for (const id of writers) {
    const name = id.startsWith("name:") ? id.slice(5) : id === "nobody" ? "Former member" : `user${id}`;
    names.set(id, name);
    yield { at: "Posts.xml", record: { type: "user", id, username: name, name, gone: id === "nobody" } };
  }
}

const truncatedNote = (name: string, row: number): FoundRecord => ({
  at: name,
  note: `It is incomplete: it ends after row ${row}.`,
});

const creationDate = (row: XmlRow) => row.of("CreationDate") ?? "";
const compareDates = (one: XmlRow, other: XmlRow) =>
  creationDate(one) < creationDate(other) ? -1 : creationDate(one) > creationDate(other) ? 1 : 0;
const isQuestionOrAnswer = (row: XmlRow) => row.of("PostTypeId") === "1" || row.of("PostTypeId") === "2";

/**
 * A class, because it remembers imported posts, and the comments and answers whose post or question follows
 * later.
 */
class DumpReader {
  #origin: string | undefined;
  #names: Map<string, string>;
  /** Id of the discussion of each imported post. */
  #placed = new Map<string, string>();
  /** Rows that precede their post: comments by post id, and answers by question id. */
  #waiting = new Map<string, XmlRow[]>();
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
