import type { AdapterOptions, FoundRecord } from "../../archive/adapter.ts";
import { moment } from "../../archive/record-fields.ts";
import type { Category } from "./discourse-categories.ts";
import type { Post } from "./discourse-topics.ts";

export type ForumContext = {
  options: AdapterOptions;
  isHere: (topic: number) => boolean;
  addresses: Map<string, string>;
  categories: Map<number, Category>;
  isListed: boolean;
  people: Set<string>;
  opened: Set<string>;
  /** Number of relative links dropped because the forum's address is unknown. */
  nowhere: number;
  /** Number of likes. */
  likes: number;
};

/** The first valid date, so that one invalid date does not exclude the whole person or group. */
export const firstValidDate = (...candidates: (string | null | undefined)[]) =>
  candidates.find((it) => it && moment.safeParse(it).success) ?? undefined;

export function* createPeopleRecords(posts: Post[], at: string, known: ForumContext): Generator<FoundRecord> {
  for (const post of posts) yield* createPersonRecord(post, at, known);
}

type PostAuthor = Pick<Post, "username" | "name" | "created_at">;

/**
 * Id shared by all deleted authors. It cannot be a real username, because usernames never contain a colon.
 */
const DELETED_AUTHOR = ":gone";
export const authorId = ({ username }: Pick<PostAuthor, "username">) =>
  username?.toLowerCase() ?? DELETED_AUTHOR;

export function* createPersonRecord(
  { username, name, created_at }: PostAuthor,
  at: string,
  { people, addresses }: ForumContext,
): Generator<FoundRecord> {
  const id = authorId({ username });
  if (people.has(id)) return;
  people.add(id);
  if (!username) return yield { at, record: { type: "user", id, name: "Former member", gone: true } };
  yield {
    at,
    record: {
      type: "user",
      id,
      username: id,
      name: name || username,
      email: addresses.get(id),
      createdAt: firstValidDate(created_at),
      oldPaths: [`/u/${encodeURI(id.toWellFormed())}`],
    },
  };
}
