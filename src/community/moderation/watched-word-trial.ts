import { type Db, limit, many, sql } from "#platform/database";
import { invalid, notFound } from "#platform/refusal";
import { type PersonCard, personCard } from "#community/common";
import { joinContentContainer } from "#community/discussions";
import { blockedEitherWayIds, requireSignedIn } from "#community/friends";
import { isContentReadable, isDiscussionReadable, viewerMembership } from "#community/groups";
import { compilePhrases, type WatchedWordForm } from "#community/prevention";
import { accountRules, LIMITS, type Viewer, PREVENTION_LIMITS } from "#community/rules";

type ReadPost = { id: string; title: string; body: string; author: PersonCard };

/** A recent post that a watched word would match: the words that match, with the text around them. */
export type TrialMatch = Pick<ReadPost, "id" | "author"> & { before: string; typed: string; after: string };
export type WatchedWordTrial = {
  /** Number of recent posts that the viewer can read. */
  posts: number;
  /** Number of these posts that match. */
  matching: number;
  matches: TrialMatch[];
  /** Whether so many posts match that the word is probably a mistake. */
  isTooWide: boolean;
};

/** Minimum number of posts for a verdict: fewer say little about how many posts a word will match. */
const FEWEST_POSTS = 10;
const TOO_WIDE = 0.5;
/** Characters shown before and after the match. */
const CONTEXT = { before: 60, after: 120 };

/**
 * Tries a phrase on the last 1,000 posts of the site, as far as the viewer can read them.
 * @throws `not-found` for all but staff
 */
export async function tryWatchedWord(
  db: Db,
  viewer: Viewer,
  { phrase }: Pick<WatchedWordForm, "phrase">,
): Promise<WatchedWordTrial> {
  if (!accountRules.moderate(viewer)) throw notFound();
  const find = compilePhrases([{ phrase }]);
  const posts = await listRecentPosts(db, viewer);
  const matching = posts.flatMap((post) => {
    const text = `${post.title}\n${post.body}`;
    const [match] = find(text);
    return match ? [{ post, text, match }] : [];
  });
  const { shown } = PREVENTION_LIMITS.watchedWords;
  return {
    posts: posts.length,
    matching: matching.length,
    matches: matching.slice(0, shown).map(({ post: { id, author }, text, match: { start, end } }) => ({
      id,
      author,
      before:
        start > CONTEXT.before
          ? `…${text.slice(start - CONTEXT.before, start).toWellFormed()}`
          : text.slice(0, start),
      typed: text.slice(start, end),
      after:
        text.length > end + CONTEXT.after
          ? `${text.slice(end, end + CONTEXT.after).toWellFormed()}…`
          : text.slice(end),
    })),
    isTooWide: posts.length >= FEWEST_POSTS && matching.length / posts.length > TOO_WIDE,
  };
}

/**
 * Asserts that a phrase does not match most recent posts, unless the moderator has confirmed it.
 * @throws `invalid` on `confirmed`
 */
export async function assertNotTooWide(db: Db, viewer: Viewer, form: WatchedWordForm): Promise<void> {
  if (form.confirmed) return;
  const { isTooWide } = await tryWatchedWord(db, viewer, form);
  if (isTooWide)
    throw invalid(
      "confirmed",
      "This matches more than half of the recent posts. Confirm that you want this.",
    );
}

/** Recent posts and comments that the viewer can read, latest first. */
function listRecentPosts(db: Db, viewer: Viewer): Promise<ReadPost[]> {
  const me = requireSignedIn(viewer);
  return many(
    db,
    sql<ReadPost>`
      select x.id, case when x.number = 1 and d.id is not null then d.title else '' end as title,
        left(x.body_md, ${LIMITS.post}::int) as body, ${personCard("author")} as author
      from (select * from posts where state = 'published' order by id desc
          ${limit(PREVENTION_LIMITS.watchedWords.triedPosts)}) x
      ${joinContentContainer("x", "d", "s", "g")} ${viewerMembership(me, "g", "m")}
      join people author on author.id = x.author_id
      where x.author_id <> all(${blockedEitherWayIds(me)})
        and case when d.id is not null then d.state in ('open', 'archived')
            and ${isDiscussionReadable("d", "g", "m")}
          when s.id is not null then s.state = 'published'
            and (s.group_id is null or ${isContentReadable("s", "created_at", "g", "m")})
          else false end
      order by x.id desc`,
  );
}
