/** Filters and matching of the Typesense stand-in, implemented independently of the tested code. */
export type StoredDocument = { id: string } & Record<string, string | number | boolean | string[]>;
type DocumentCondition = (document: StoredDocument) => boolean;

/** Parses `filter_by`; throws for invalid syntax. */
export function parseFilterBy(text: string): DocumentCondition {
  const tokens = [
    ...text.matchAll(/\s*(\(|\)|&&|\|\||([a-z_]+):(!=|>=|<=|=|>|<)?\s*(\[[^\]]*\]|`[^`]*`|[^\s()&|]+))/gy),
  ];
  const length = tokens.reduce((sum, [token]) => sum + token.length, 0);
  if (length !== text.trimEnd().length)
    throw new Error(`Could not parse the filter query: ${text.slice(length, length + 80)}`);
  let at = 0;
  const next = () => tokens[at]?.[1];
  const either = (): DocumentCondition => {
    const parts = [all()];
    while (next() === "||") parts.push((at++, all()));
    return (it) => parts.some((part) => part(it));
  };
  const all = (): DocumentCondition => {
    const parts = [one()];
    while (next() === "&&") parts.push((at++, one()));
    return (it) => parts.every((part) => part(it));
  };
  const one = (): DocumentCondition => {
    const token = tokens[at++];
    if (!token) throw new Error("The filter ends too soon.");
    if (token[1] === "(") {
      const inner = either();
      if (tokens[at++]?.[1] !== ")") throw new Error("A parenthesis stays open.");
      return inner;
    }
    const [, , field, sign = "", value] = token;
    if (field === undefined) throw new Error(`${token[1]} was not expected.`);
    return parseComparison(field, sign, value!);
  };
  const condition = either();
  if (at < tokens.length) throw new Error(`${next()} was not expected.`);
  return condition;
}

function parseComparison(field: string, sign: string, text: string): DocumentCondition {
  const values = (text.startsWith("[") ? text.slice(1, -1).split(",") : [text]).map((it) =>
    it.trim().replaceAll("`", "").toLowerCase(),
  );
  const valuesOf = (it: StoredDocument) => [it[field]].flat().map((value) => String(value).toLowerCase());
  if (sign === "=" || sign === "") return (it) => valuesOf(it).some((value) => values.includes(value));
  if (sign === "!=") return (it) => !valuesOf(it).some((value) => values.includes(value));
  const to = Number(values[0]);
  if (!Number.isInteger(to)) throw new Error(`Not an int64: ${text}`);
  return (storedDocument) => {
    const value = storedDocument[field] as number;
    return sign === "<" ? value < to : sign === "<=" ? value <= to : sign === ">" ? value > to : value >= to;
  };
}

type MatchParams = Record<string, string | number | boolean>;
export type MatchedDocument = { document: StoredDocument; rank: number; tokens: string[] };

/**
 * Returns documents that contain every word, fewest typos first. If no document does and fewer words are
 * allowed, drops words.
 */
export function matchDocuments(documents: StoredDocument[], params: MatchParams): MatchedDocument[] {
  const fields = String(params["query_by"]).split(",");
  const weights = String(params["query_by_weights"] ?? "")
    .split(",")
    .map(Number);
  const q = String(params["q"]);
  const phrases = [...q.matchAll(/"([^"]*)"/g)].map((match) => match[1]!);
  const without = [...q.matchAll(/(?<=^|\s)-(\S+)/g)].map((match) => match[1]!);
  const words = q
    .replaceAll(/"[^"]*"|(?<=^|\s)-\S+/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "" && word !== "*");
  const allowed = documents.filter(
    (it) =>
      phrases.every((phrase) => fields.some((field) => ` ${it[field]} `.includes(` ${phrase} `))) &&
      !without.some((word) => fields.some((field) => String(it[field]).split(" ").includes(word))),
  );
  const found = (some: string[], typos: boolean) =>
    allowed.flatMap(
      (storedDocument) =>
        matchDocument(storedDocument, some, {
          fields,
          weights,
          typos,
          prefix: params["prefix"] === true,
          last: words.at(-1),
          asked: params,
        }) ?? [],
    );
  const both = (some: string[]) => {
    const exact = found(some, false);
    return params["num_typos"] === 0 || exact.length >= Number(params["typo_tokens_threshold"] ?? 1)
      ? exact
      : found(some, true);
  };
  let rest = words;
  let hits = both(rest);
  while (hits.length < Number(params["drop_tokens_threshold"] ?? 1) && rest.length > 1) {
    rest = params["drop_tokens_mode"] === "left_to_right" ? rest.slice(1) : rest.slice(0, -1);
    hits = both(rest);
  }
  return hits;
}

type MatchOptions = {
  fields: string[];
  weights: number[];
  typos: boolean;
  prefix: boolean;
  last: string | undefined;
  asked: MatchParams;
};

function matchDocument(
  document: StoredDocument,
  words: string[],
  { fields, weights, typos, prefix, last, asked }: MatchOptions,
): MatchedDocument | null {
  let rank = 0;
  const tokens: string[] = [];
  for (const word of words) {
    const [one, two] = [Number(asked["min_len_1typo"]), Number(asked["min_len_2typo"])];
    const most = typos ? (word.length >= two ? 2 : word.length >= one ? 1 : 0) : 0;
    const each = fields.flatMap((field, n) =>
      String(document[field])
        .split(" ")
        .map((token) => ({
          token,
          weight: weights[n] ?? 1,
          typos: distanceTo(word, token, prefix && word === last),
        })),
    );
    const best = each
      .filter((it) => it.typos <= most)
      .toSorted((a, b) => a.typos - b.typos || b.weight - a.weight)[0];
    if (!best) return null;
    rank += 100 - best.typos * 50 + best.weight;
    tokens.push(best.token);
  }
  return { document, rank, tokens };
}

/** Returns the number of typos between a word and a token, or the token's best prefix. */
function distanceTo(word: string, token: string, prefix: boolean): number {
  if (word === token || (prefix && token.startsWith(word))) return 0;
  const lengths = prefix ? [word.length - 1, word.length, word.length + 1] : [token.length];
  return Math.min(...lengths.map((length) => editDistance(word, token.slice(0, length))));
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 9;
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [
    i,
    ...Array.from({ length: b.length }, () => 0),
  ]);
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : 9;
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped,
      );
    }
  return rows[a.length]![b.length]!;
}
