import { HOUR } from "#platform/clock";
import { uuidv7 } from "#platform/ids";
import type { Demo, DemoDiscussion } from "./demo-data.ts";

/** Data shared by all functions that create demo rows: the time of seeding, and the ids assigned to names. */
export type SeedingContext = {
  demo: Demo;
  /** The time this many hours before seeding. */
  at: (hoursAgo: number) => Date;
  person: (username: string) => string;
  group: (slug: string) => string;
  discussion: (key: string) => string;
  /** Id of a discussion's post by number. */
  post: (key: string, number: number) => string;
};

/**
 * Assigns ids to the demo's people, groups and content. Each id contains the creation time, so that ids sort
 * by age.
 */
export function createSeedingContext(demo: Demo, now: Date): SeedingContext {
  const at = (hours: number) => new Date(now.getTime() - hours * HOUR);
  const ids = new Map<string, string>();
  const name = (key: string, hours: number) => void ids.set(key, uuidv7(at(hours).getTime()));
  for (const it of demo.people) name(`person ${it.username}`, it.joinedAgo);
  for (const it of demo.groups) name(`group ${it.slug}`, it.createdAgo);
  for (const it of Object.values(demo.discussions).flat()) {
    name(`discussion ${it.key}`, it.ago);
    for (const post of listDemoPosts(it)) name(`post ${it.key} ${post.n}`, post.ago);
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

/** Lists the posts of a discussion. Its opening text is post 1. */
export const listDemoPosts = (demoDiscussion: DemoDiscussion) => [
  {
    n: 1,
    author: demoDiscussion.author,
    ago: demoDiscussion.ago,
    body: demoDiscussion.body,
    reactions: demoDiscussion.reactions,
    replyTo: undefined,
    editedAgo: undefined,
    deleted: false,
  },
  ...demoDiscussion.posts,
];
