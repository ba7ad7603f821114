import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DatePollAnswerName } from "#community/rules";
import { parseTrustedJson } from "#platform/json";

// The demo community as stored in its folder. Times are hours before seeding; people, groups and discussions
// are referenced by username, slug and key. `node db/demo/check.mjs` checks the references.

export type DemoPerson = {
  username: string;
  name: string;
  email: string;
  role: string;
  trust: string;
  pronouns: string;
  bio: string;
  location: string;
  locale: string;
  timeZone: string;
  joinedAgo: number;
  seenAgo: number;
  fields: Record<string, string>;
  look: object;
  header: string;
};
export type DemoGroup = {
  slug: string;
  name: string;
  purpose: string;
  about: string;
  topic: string;
  visibility: string;
  joinPolicy: string;
  historyPolicy: string;
  state: string;
  header: string;
  createdAgo: number;
  owner: string;
  moderators: string[];
  members: { who: string; ago: number }[];
  requests: { who: string; ago: number; answers: string[] }[];
  questions: string[];
  rules: string[];
};
export type DemoPost = {
  n: number;
  author: string;
  ago: number;
  body: string;
  replyTo?: number;
  editedAgo?: number;
  deleted?: boolean;
  reactions?: Record<string, string[]>;
};
export type DemoDiscussion = {
  key: string;
  title: string;
  tags: string[];
  author: string;
  ago: number;
  language: string;
  body: string;
  posts: DemoPost[];
  pinned?: boolean;
  resolved?: boolean;
  locked?: string;
  reactions?: Record<string, string[]>;
};
export type DemoResource = {
  key: string;
  kind: "link" | "document" | "file";
  /** Featured on the front page by the admin. */
  featured?: boolean;
  title: string;
  why: string;
  body?: string;
  url?: string;
  siteName?: string;
  file?: { name: string; text: string };
  tags: string[];
  language: string;
  licence: string;
  owner: string;
  ago: number;
  group: string | null;
  usedIn: { discussion: string; post: number }[];
  collection?: string;
};
/** A poll for the time of an event. The answers of each person are in the order of the times. */
export type DemoDatePoll = {
  group: string;
  host: string;
  title: string;
  timeZone: string;
  hours: number;
  times: { weekday: number; week: number; starts: string }[];
  answers: Record<string, DatePollAnswerName[]>;
};
/**
 * A weekly event. `weeks` are relative: 0 is the next such weekday. The answers are the same in every week.
 * Several weeks are a series.
 */
export type DemoEvent = {
  group: string;
  /** Key of the discussion whose first post describes the event. */
  discussion: string;
  host: string;
  title: string;
  /** 1 for Monday to 7 for Sunday. */
  weekday: number;
  weeks: number[];
  starts: string;
  hours: number;
  timeZone: string;
  place: string;
  capacity: number | null;
  companions: number;
  going: string[];
  maybe: string[];
  waiting: string[];
  declined: string[];
  except: { week: number; cancelled: string } | null;
  /** A week in which the event has another time and place. */
  moved: { week: number; starts: string; place: string } | null;
};
export type DemoCollection = {
  key: string;
  title: string;
  about: string;
  group: string | null;
  curator: string;
};
export type DemoConversation = {
  key: string;
  kind: "direct" | "group";
  name?: string;
  participants: string[];
  messages: { by: string; ago: number; body: string }[];
  readUpTo: Record<string, number>;
};
export type DemoFriendship = { a: string; b: string; state: "friends" | "pending"; by: string; ago: number };
/** Content that waits for a decision of staff, and a decided report. */
export type DemoModeration = {
  pendingPeople: {
    username: string;
    name: string;
    email: string;
    locale: string;
    timeZone: string;
    reason: string;
    ago: number;
  }[];
  pendingGroups: {
    slug: string;
    name: string;
    purpose: string;
    about: string;
    visibility: string;
    joinPolicy: string;
    header: string;
    owner: string;
    ago: number;
  }[];
  pendingPosts: { author: string; group: string; title: string; body: string; tags: string[]; ago: number }[];
  reports: {
    by: string;
    discussion: string;
    post: number;
    reason: string;
    ago: number;
    resolved: { by: string; outcome: "upheld" | "rejected"; note: string; ago: number } | null;
  }[];
};
export type DemoCommunity = {
  name: string;
  sentence: string;
  welcome: string;
  rules: string[];
  /** Rules that decisions of moderators cite. */
  citedRules: string[];
  about: string;
  privacy: string;
};

export type Demo = {
  people: DemoPerson[];
  groups: DemoGroup[];
  resources: DemoResource[];
  collections: DemoCollection[];
  events: DemoEvent[];
  datePolls: DemoDatePoll[];
  conversations: DemoConversation[];
  friendships: DemoFriendship[];
  moderation: DemoModeration;
  community: DemoCommunity;
  /** Number of the last post read, by username and then by discussion key. */
  reading: Record<string, Record<string, number>>;
  /** Discussions by the slug of their group. */
  discussions: Record<string, DemoDiscussion[]>;
  drawAvatar: (look: object, seed: string) => string;
};

export async function readDemo(folder: string): Promise<Demo> {
  const read = async <T>(name: string) =>
    parseTrustedJson<T>(await readFile(join(folder, `${name}.json`), "utf8"));
  const slugs = (await readdir(join(folder, "discussions")))
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -5));
  const discussions = await Promise.all(
    slugs.map(async (slug) => [slug, await read<DemoDiscussion[]>(`discussions/${slug}`)] as const),
  );
  const { drawAvatar }: Pick<Demo, "drawAvatar"> = await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "avatars.mjs")).href
  );
  return {
    people: await read("people"),
    groups: await read("groups"),
    resources: await read("resources"),
    events: await read("events"),
    datePolls: await read("date-polls"),
    collections: await read("collections"),
    conversations: await read("conversations"),
    friendships: await read("friendships"),
    moderation: await read("moderation"),
    community: await read("community"),
    reading: await read("reading"),
    discussions: Object.fromEntries(discussions),
    drawAvatar,
  };
}
