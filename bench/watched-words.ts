import { compilePhrases } from "#community/prevention";

const PHRASES = 500;
const POSTS = 200;
const POST_LENGTH = 1_000;
const VOCABULARY =
  "meet garden table cheap river coin lamp winter market paper stone cloud bridge music letter".split(" ");

const word = (n: number) => VOCABULARY[n % VOCABULARY.length]!;
/**
 * Kinds of watched phrases, used equally often: a word, a word with wildcards on both sides, one with
 * wildcards in the middle and at the end, and several words.
 */
const PHRASE_KINDS = [
  (n: number) => `${word(n)}${n}`,
  (n: number) => `*${word(n)}${n}*`,
  (n: number) => `${word(n)}?${n}*`,
  (n: number) => `${word(n)} * ${word(n + 7)}${n}`,
];

/** CPU milliseconds to check a post of 1,000 characters for 500 watched words and patterns. */
export function measureWatchedWords(): number {
  const find = compilePhrases(
    Array.from({ length: PHRASES }, (_, n) => ({ phrase: PHRASE_KINDS[n % PHRASE_KINDS.length]!(n) })),
  );
  const posts = Array.from({ length: POSTS }, (_, n) =>
    Array.from({ length: POST_LENGTH / 6 }, (_none, i) => word(n + i * i))
      .join(" ")
      .slice(0, POST_LENGTH),
  );
  for (const post of posts) find(post);
  const before = process.cpuUsage();
  for (const post of posts) find(post);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / POSTS;
}
