import { HOUR } from "#platform/clock";
import { uuidv7 } from "#platform/ids";
import type { Demo, DemoDiscussion } from "./demo.ts";

/** What the rows of the demo have in common: its moment, and the ids that its names have become. */
export type Seeding = {
  demo: Demo;
  /** The moment that many hours before now. */
  at: (hoursAgo: number) => Date;
  person: (username: string) => string;
  group: (slug: string) => string;
  discussion: (key: string) => string;
  /** The post of a discussion with this number. */
  post: (key: string, number: number) => string;
};

/** Gives everything its id: made for the moment when it was written, so that ids sort by age here too. */
export function seedingOf(demo: Demo, now: Date): Seeding {
  const at = (hours: number) => new Date(now.getTime() - hours * HOUR);
  const ids = new Map<string, string>();
  const name = (key: string, hours: number) => void ids.set(key, uuidv7(at(hours).getTime()));
  for (const it of demo.people) name(`person ${it.username}`, it.joinedAgo);
  for (const it of demo.groups) name(`group ${it.slug}`, it.createdAgo);
  for (const it of Object.values(demo.discussions).flat()) {
    name(`discussion ${it.key}`, it.ago);
    for (const post of postsOf(it)) name(`post ${it.key} ${post.n}`, post.ago);
  }
  const idOf = (key: string) => {
    const id = ids.get(key);
    if (!id) throw new Error(`The demo community has no ${key}.`);
    return id;
  };
  return {
    demo,
    at,
    person: (username) => idOf(`person ${username}`),
    group: (slug) => idOf(`group ${slug}`),
    discussion: (key) => idOf(`discussion ${key}`),
    post: (key, number) => idOf(`post ${key} ${number}`),
  };
}

/** The opening text is post 1. */
export const postsOf = (it: DemoDiscussion) => [
  {
    n: 1,
    author: it.author,
    ago: it.ago,
    body: it.body,
    reactions: it.reactions,
    replyTo: undefined,
    editedAgo: undefined,
    deleted: false,
  },
  ...it.posts,
];
