/**
 * Clauses that are rejected on a table with columns of these types: text, number, boolean, date, JSON,
 * point, and a relation to itself.
 */
const PLAIN_CLAUSES = `
length =
length = = 1
length in (1
length is 1
length at 1
length not 1
length between 1 or 2
title like 1
length ~ 1
'
length = 1 2
length
title
length + 1
nobody = 1
beside.nobody = 1
nobody.title = 'a'
length = 'seven'
sunny = 'perhaps'
sown > 'someday'
place = 'here'
place > 'POINT(1 1)'
place = length
place = notes
sunny = sown
place + 1 = 1
lower(place) = 'a'
lower(title, 1) = 'a'
lower() = 'a'
substring(title) = 'a'
round() = 1
nothing(1) = 1
count(title) > 1
sum(length) > 1
title->'$.a' = 1
notes->'a' = 1
notes->'$.*' = notes->'$.*'
Beds[nothing].title = 'a'
Nobody[beside].title = 'a'
`;

const repeatList = (n: number, one: string, between: string) =>
  Array.from({ length: n }, () => one).join(between);
/** For each limit, a clause that exceeds it. */
const OVERSIZED_CLAUSES = [
  `${"9".repeat(400)} = length`,
  `${repeatList(9, "beside", ".")}.title = 'a'`,
  `length = ${repeatList(50, "1", " + ")}`,
  `${"(".repeat(70)}length`,
  `length = ${repeatList(31, "abs(length)", " or length = ")}`,
  `length in (${repeatList(1_002, "1", ",")})`,
  `title like '${"x".repeat(501)}'`,
  repeatList(8_000, "1=1", " & "),
  "x".repeat(32_001),
];
export const REJECTED_CLAUSES = [...PLAIN_CLAUSES.trim().split("\n"), ...OVERSIZED_CLAUSES];

const NESTED_JSON = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
const jsonUpdate = (args: object) => ({ notes: JSON.stringify({ ___operation: "JSON_SET", args }) });

/** Records with invalid values; `code` is unique and taken, `need` is required. */
export const REJECTED_RECORDS: Record<string, string>[] = [
  { length: "7.5" },
  { length: "seven" },
  { length: "7.5", place: '{"type": "Point"}' },
  { title: "x".repeat(501) },
  { sown: "+200000-01-01T00:00" },
  { sown: "someday" },
  { need: "" },
  { code: "one" },
  { notes: "{" },
  { notes: NESTED_JSON },
  jsonUpdate({ a: 1 }),
  jsonUpdate({ "$[999999]": 1 }),
  jsonUpdate({}),
  jsonUpdate(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`$.a${n}`, 1]))),
  { notes: '{"a": {"__subID": "1", "b": {"__originSubID": "1"}}}' },
];
