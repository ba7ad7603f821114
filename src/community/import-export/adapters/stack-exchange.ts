import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { getOwnProperty } from "#platform/objects";
import type { Adapter, FoundRecord } from "../archive/adapter.ts";
import type { Bundle } from "../archive/bundle-files.ts";
import { padWithDots } from "../archive/record-fields.ts";
import { resultOrErrorMessage } from "../archive/text-lines.ts";
import { htmlToMarkdown } from "./html/html.ts";
import { countRows, readXmlRows } from "./xml-rows.ts";
import {
  DumpReader,
  type DumpFiles,
  GROUP_ID,
  isQuestionOrAnswer,
  postAuthor,
  commentAuthor,
  truncatedNote,
} from "./stack-exchange-posts.ts";

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
    const what = getOwnProperty(SKIPPED_FILES, at.slice(folder.length).toLowerCase());
    if (!what) continue;
    const rows = await resultOrErrorMessage(async () => countRows(await bundle.read(at)));
    yield { at, note: `Skipped: ${"fault" in rows ? rows.fault : `${rows.whole} ${what}.`}` };
  }
}

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
