import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { many, sql } from "#platform/database";
import { createFolderStorage } from "#platform/storage";
import type { TestDatabase } from "../setup/test-database.ts";

/** Setup for import tests: a temporary folder for archives and files, removed after each test. */
export function createImportSetup(database: TestDatabase) {
  const folders: string[] = [];
  const folder = async () => {
    const directory = await mkdtemp(join(tmpdir(), "kith-transfer-"));
    folders.push(directory);
    return directory;
  };
  afterEach(async () => {
    for (const directory of folders.splice(0)) await rm(directory, { recursive: true, force: true });
  });
  return {
    folder,
    transfer: async () => ({ database, storage: createFolderStorage(await folder()) }),
    write: async (files: Record<string, string | Buffer>, name = "archive") => {
      const root = join(await folder(), name);
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(root, path)), { recursive: true });
        await writeFile(join(root, path), content);
      }
      return root;
    },
    count: async (table: string) =>
      (await many(database.db, sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`))[0]!.n,
  };
}

const FORMAT = { type: "format", name: "community-ndjson", version: 1 };

/** Formats an archive in Kith's own format. */
export const archiveText = (...records: object[]) =>
  [FORMAT, ...records].map((it) => JSON.stringify(it)).join("\n");

const AT = "2019-03-01T08:00:00Z";
export const userRecord = (id: string, more: object = {}) => ({
  type: "user",
  id,
  username: id,
  name: id,
  createdAt: AT,
  ...more,
});
export const groupRecord = (more: object = {}) => ({
  type: "group",
  id: "g",
  name: "First principles",
  visibility: "public",
  joinPolicy: "open",
  owner: "plato",
  createdAt: AT,
  ...more,
});
export const discussionRecord = (more: object = {}) => ({
  type: "discussion",
  id: "d",
  group: "g",
  author: "plato",
  title: "What is a heap?",
  createdAt: AT,
  ...more,
});
export const postRecord = (number: number, more: object = {}) => ({
  type: "post",
  id: `p${number}`,
  discussion: "d",
  number,
  author: number % 2 ? "plato" : "zeno",
  body: `Grain ${number}.`,
  createdAt: new Date(Date.parse(AT) + number * 60_000).toISOString(),
  ...(number > 1 && { replyTo: `p${number - 1}` }),
  ...more,
});
export const membershipRecord = (user: string, role = "member") => ({
  type: "membership",
  group: "g",
  user,
  role,
  createdAt: AT,
});

const eventRecord = {
  group: "g",
  host: "plato",
  post: "p1",
  title: "A walk in the stoa",
  timeZone: "Europe/Athens",
  createdAt: AT,
};
/** A weekly event with an answer, and a date poll with an answer. */
export const calendarRecords: object[] = [
  {
    ...eventRecord,
    type: "event-series",
    id: "w",
    frequency: "weekly",
    weekdays: [5],
    lastDay: "2019-03-08",
    plannedUntil: "2019-03-08",
    starts: "2019-03-08T10:00",
    ends: "2019-03-08T12:00",
  },
  {
    ...eventRecord,
    type: "event",
    id: "e",
    hosts: [{ user: "zeno" }],
    startsAt: "2019-03-08T08:00:00Z",
    endsAt: "2019-03-08T10:00:00Z",
    series: "w",
    seriesDate: "2019-03-08",
  },
  { type: "attendance", event: "e", user: "zeno", answer: "going", createdAt: AT },
  {
    type: "date-poll",
    id: "q",
    group: "g",
    host: "zeno",
    title: "When do we walk again?",
    timeZone: "Europe/Athens",
    times: [{ startsAt: "2019-03-15T08:00:00Z", endsAt: "2019-03-15T10:00:00Z" }],
    createdAt: AT,
  },
  { type: "date-poll-answer", poll: "q", user: "plato", time: 1, answer: "if_need_be", createdAt: AT },
];

/** Records of two people, a group, a discussion with `posts` posts, and the records that belong to them. */
export const sampleArchive = (posts = 3): object[] => [
  userRecord("plato", { email: "plato@example.org", bio: "Writes *dialogues*." }),
  userRecord("zeno"),
  groupRecord({
    rules: ["No shouting."],
    rulesVersion: 2,
    rulesChangedAt: AT,
    formerRules: [{ version: 1, rules: [], at: AT, by: "plato" }],
  }),
  membershipRecord("plato", "owner"),
  membershipRecord("zeno"),
  discussionRecord(),
  ...Array.from({ length: posts }, (_, i) =>
    postRecord(i + 1, i === 0 ? { poll: { options: ["A heap", "No heap"] }, version: 2 } : {}),
  ),
  { type: "revision", post: "p1", by: "plato", body: "A grain.", createdAt: AT },
  { type: "vote", post: "p1", user: "zeno", option: 2, createdAt: AT },
  { type: "reaction", post: "p1", user: "zeno", emoji: "👍", createdAt: AT },
  { type: "reading", discussion: "d", user: "zeno", number: 2, createdAt: AT },
  { type: "file", id: "f", name: "heap.txt", mime: "text/plain", path: "files/heap.txt", createdAt: AT },
  {
    type: "resource",
    id: "r",
    group: "g",
    owner: "plato",
    kind: "file",
    title: "A heap, counted",
    file: "f",
    createdAt: AT,
  },
  { type: "version", resource: "r", number: 1, by: "plato", file: "f", createdAt: AT },
  { type: "post", id: "c1", resource: "r", author: "zeno", body: "One more.", createdAt: AT },
  { type: "use", resource: "r", post: "p1" },
  {
    type: "collection",
    id: "k",
    group: "g",
    curator: "plato",
    title: "Start here",
    helpers: [{ user: "zeno", by: "plato", createdAt: AT }],
    items: [{ resource: "r", position: 1 }],
    createdAt: AT,
  },
  {
    type: "line",
    id: "l",
    discussion: "d",
    kind: "renamed",
    by: "plato",
    details: { was: "A heap" },
    createdAt: AT,
  },
  { type: "start", group: "g", discussion: "d", position: 1, by: "plato", createdAt: AT },
  { type: "start", group: "g", resource: "r", position: 2, by: "plato", createdAt: AT },
  { type: "follow", resource: "r", user: "zeno", createdAt: AT },
  { type: "bookmark", user: "zeno", post: "p1", note: "Count again", remindAt: AT, createdAt: AT },
  { type: "bookmark", user: "zeno", resource: "r", createdAt: AT },
  { type: "mute", from: "plato", to: "zeno", createdAt: AT },
  {
    type: "conversation",
    id: "v",
    kind: "direct",
    creator: "zeno",
    participants: [{ user: "zeno" }, { user: "plato" }],
    createdAt: AT,
  },
  {
    type: "message",
    id: "m1",
    conversation: "v",
    author: "zeno",
    body: "Do you take it back?",
    createdAt: AT,
  },
  {
    type: "message",
    id: "m2",
    conversation: "v",
    author: "plato",
    body: "Never.",
    replyTo: "m1",
    createdAt: AT,
  },
  { type: "message-reaction", message: "m2", user: "zeno", emoji: "😄", createdAt: AT },
  { type: "friendship", from: "plato", to: "zeno", createdAt: AT },
  ...calendarRecords,
  { type: "setting", key: "sentence", value: "Where we argue." },
];
