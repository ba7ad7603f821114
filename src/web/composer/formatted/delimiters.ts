/** One character of a run of `*` or `_`, or a `~~`. */
export type Delimiter = {
  marker: string;
  /** Length of the run; 0 where the rule of three does not apply. */
  length: number;
  /** Index among the items of the line. */
  item: number;
  /** Index of the closing delimiter, or -1. */
  end: number;
  opens: boolean;
  closes: boolean;
};

const PUNCTUATION = /[\p{P}\p{S}]/u;
const SPACE = /\s/;

/** Finds whether a run of delimiters can open and close emphasis, as CommonMark defines it. */
export function scanRun(text: string, from: number, to: number): { opens: boolean; closes: boolean } {
  const before = from === 0 ? " " : String.fromCodePoint(codePointBefore(text, from));
  const after = to >= text.length ? " " : String.fromCodePoint(text.codePointAt(to)!);
  const [spaceBefore, spaceAfter] = [SPACE.test(before), SPACE.test(after)];
  const [signBefore, signAfter] = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
  const left = !spaceAfter && (!signAfter || spaceBefore || signBefore);
  const right = !spaceBefore && (!signBefore || spaceAfter || signAfter);
  if (text[from] !== "_") return { opens: left, closes: right };
  return { opens: left && (!right || signBefore), closes: right && (!left || signAfter) };
}

function codePointBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && at > 1 ? text.codePointAt(at - 2)! : low;
}

/** Pairs opening and closing delimiters in the same order as the server's parser. */
export function pairDelimiters(all: Delimiter[]): void {
  /** How many delimiters before this one are settled and skipped. */
  const skips: number[] = [];
  /** Per marker and kind of closer, the index below which no opener is left. */
  const bottoms = new Map<string, number>();
  let [head, lastItem] = [0, -2];
  for (const [at, closer] of all.entries()) {
    skips.push(0);
    if (all[head]!.marker !== closer.marker || lastItem !== closer.item - 1) head = at;
    lastItem = closer.item;
    if (!closer.closes) continue;
    const kind = `${closer.marker}${closer.opens}${closer.length % 3}`;
    const first = head - skips[head]! - 1;
    let isPaired = false;
    for (let it = first; it > (bottoms.get(kind) ?? -1); it -= skips[it]! + 1) {
      const opener = all[it]!;
      if (opener.marker !== closer.marker || !opener.opens || opener.end >= 0) continue;
      if (breaksRuleOfThree(opener, closer)) continue;
      const inner = it > 0 && !all[it - 1]!.opens ? skips[it - 1]! + 1 : 0;
      skips[at] = at - it + inner;
      skips[it] = inner;
      [closer.opens, opener.end, opener.closes] = [false, at, false];
      isPaired = true;
      lastItem = -2;
      break;
    }
    if (!isPaired) bottoms.set(kind, first);
  }
}

const breaksRuleOfThree = (opener: Delimiter, closer: Delimiter) =>
  (opener.closes || closer.opens) &&
  (opener.length + closer.length) % 3 === 0 &&
  (opener.length % 3 !== 0 || closer.length % 3 !== 0);
