/** A word of the vocabulary that the query may have meant, and its number of typos. */
export type SpellingCandidate = { word: string; typos: number };

const MIN_WORD_LENGTH = 3;
const MAX_WORD_LENGTH = 30;
/** Maximum number of corrections per word; the most frequent are chosen. */
const MAX_CORRECTIONS = 12;

/**
 * All indexed words with document counts. Suggests corrections and estimates the number of matches. The
 * vocabulary may be outdated; then only the newest words are never suggested.
 */
export class Vocabulary {
  #documents = new Map<string, number>();
  /** Words by first letter and length, so that each query word is compared with only a few. */
  #buckets = new Map<string, string[]>();
  #sorted: string[] = [];
  #known = new Map<string, SpellingCandidate[]>();
  /** Document count of the most frequent word: a lower bound for the number of documents. */
  #most = 0;

  get most(): number {
    return this.#most;
  }

  get size(): number {
    return this.#documents.size;
  }

  /** Replaces the vocabulary with the stored words, each given once. Sorted input is not sorted again. */
  load(words: Iterable<[word: string, documents: number]>) {
    this.#documents = new Map();
    this.#buckets = new Map();
    this.#most = 0;
    for (const [word, documents] of words) this.#put(word, documents);
    const all = [...this.#documents.keys()];
    this.#sorted = isSorted(all) ? all : all.sort();
    this.#known.clear();
  }

  /** Adds words of newly indexed documents. */
  add(words: ReadonlyMap<string, number>) {
    const unknown = [...words.keys()].filter((word) => !this.#documents.has(word));
    for (const [word, documents] of words) this.#put(word, documents);
    if (unknown.length === 0) return;
    this.#sorted = mergeSorted(this.#sorted, unknown.sort());
    this.#known.clear();
  }

  /** Subtracts the words of removed documents. `removed`: words that no other document contains. */
  subtract(words: ReadonlyMap<string, number>, removed: ReadonlySet<string>) {
    for (const [word, documents] of words) {
      const before = this.#documents.get(word);
      if (before !== undefined && !removed.has(word))
        this.#documents.set(word, Math.max(1, before - documents));
    }
    const known = [...removed].filter((word) => this.#documents.delete(word));
    if (known.length === 0) return;
    this.#sorted = this.#sorted.filter((word) => !removed.has(word));
    for (const bucket of new Set(known.map(bucketKey))) {
      const left = this.#buckets.get(bucket)?.filter((word) => !removed.has(word)) ?? [];
      if (left.length > 0) this.#buckets.set(bucket, left);
      else this.#buckets.delete(bucket);
    }
    this.#known.clear();
  }

  #put(word: string, documents: number) {
    const before = this.#documents.get(word);
    this.#documents.set(word, (before ?? 0) + documents);
    this.#most = Math.max(this.#most, (before ?? 0) + documents);
    if (before !== undefined || word.length < MIN_WORD_LENGTH || word.length > MAX_WORD_LENGTH) return;
    const bucket = bucketKey(word);
    const others = this.#buckets.get(bucket);
    if (others) others.push(word);
    else this.#buckets.set(bucket, [word]);
  }

  /**
   * Number of documents with the word, or with words that begin with it if `prefix`; a lower bound if there
   * are many such words.
   */
  frequency(word: string, prefix: boolean): number {
    if (!prefix) return this.#documents.get(word) ?? 0;
    let sum = 0;
    for (
      let i = findLowerBound(this.#sorted, word), seen = 0;
      i < this.#sorted.length && seen < 2_000;
      i++, seen++
    ) {
      if (!this.#sorted[i]!.startsWith(word)) break;
      sum += this.#documents.get(this.#sorted[i]!)!;
    }
    return sum;
  }

  /**
   * Finds words within this many typos, nearest first, then most frequent. An insertion, deletion,
   * substitution or swap is one typo; the first letter must match. With `prefix`, the beginning of a word is
   * compared.
   */
  near(word: string, typos: number, prefix: boolean): SpellingCandidate[] {
    const key = `${word} ${typos} ${prefix}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = this.#candidates(word, typos, prefix)
      .map((candidate) => ({ word: candidate, typos: countTypos(word, candidate, typos, prefix) }))
      .filter((it) => it.typos > 0 && it.typos <= typos)
      .sort(
        (a, b) =>
          a.typos - b.typos ||
          this.#documents.get(b.word)! - this.#documents.get(a.word)! ||
          (a.word < b.word ? -1 : 1),
      )
      .slice(0, MAX_CORRECTIONS);
    if (this.#known.size >= 5_000) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }

  #candidates(word: string, typos: number, prefix: boolean): string[] {
    const found: string[] = [];
    const longest = prefix ? MAX_WORD_LENGTH : word.length + typos;
    for (let length = Math.max(MIN_WORD_LENGTH, word.length - typos); length <= longest; length++)
      found.push(...(this.#buckets.get(`${word[0]}${length}`) ?? []));
    return found;
  }
}

const bucketKey = (word: string) => `${word[0]}${word.length}`;

function isSorted(words: readonly string[]): boolean {
  for (let i = 1; i < words.length; i++) if (words[i]! < words[i - 1]!) return false;
  return true;
}

function findLowerBound(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mergeSorted(one: readonly string[], other: readonly string[]): string[] {
  const all: string[] = [];
  let [i, k] = [0, 0];
  while (i < one.length && k < other.length) all.push(one[i]! < other[k]! ? one[i++]! : other[k++]!);
  while (i < one.length) all.push(one[i++]!);
  while (k < other.length) all.push(other[k++]!);
  return all;
}

/**
 * Counts the typos between a typed word and another word, or the nearest prefix of that word. Returns some
 * number above `most` if there are more typos.
 */
export function countTypos(typed: string, other: string, most: number, prefix: boolean): number {
  const width = Math.min(other.length, typed.length + most);
  if (!prefix && Math.abs(other.length - typed.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: width + 1 }, (_, i) => i);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    let least = i;
    for (let k = 1; k <= width; k++) {
      const same = typed[i - 1] === other[k - 1];
      let cost = Math.min(last[k]! + 1, row[k - 1]! + 1, last[k - 1]! + (same ? 0 : 1));
      if (i > 1 && k > 1 && typed[i - 1] === other[k - 2] && typed[i - 2] === other[k - 1])
        cost = Math.min(cost, before[k - 2]! + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    before = last;
    last = row;
  }
  return prefix ? Math.min(...last) : last[width]!;
}
