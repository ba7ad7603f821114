/** Names of kinds of values in sentences about clauses. */
const VALUE_KINDS = [
  { say: "a text" },
  { say: "a number" },
  { say: "TRUE or FALSE" },
  { say: "a date" },
  { say: "JSON" },
  { say: "a shape" },
  { say: "NULL" },
];
const VALUE_KIND_PATTERN = VALUE_KINDS.map(({ say }) => say).join("|");
const kindPattern = (sentence: string) =>
  new RegExp(`^${sentence.replaceAll("KIND", `(?:${VALUE_KIND_PATTERN})`)}$`);

/** Errors of clauses (`src/baas/data/clause` and `query`): first the position, then the error. */
export const CLAUSE_SENTENCES = [
  {
    form: /^At character (?<place>\d+) of the clause (?<what>.+)$/,
    say: "At character {place} of the condition: {what}",
  },
  { form: /^stands what is neither true nor false\.$/, say: "a condition is expected here." },
  { form: /^stands its end, where .+ was expected\.$/, say: "the condition ends too early." },
  {
    form: kindPattern("stands (?<kind>KIND), where (?<other>KIND) was expected\\."),
    say: "{kind} was found where {other} is expected.",
  },
  {
    form: kindPattern("(?<kind>KIND) is compared with (?<other>KIND)\\."),
    say: "{kind} and {other} cannot be compared.",
  },
  {
    form: kindPattern("stands (?<typed>.*), which is not (?<kind>KIND)\\."),
    say: "{kind} is expected, not: {typed}",
  },
  { form: /^shapes are put in order\.$/, say: "shapes cannot be sorted." },
  { form: /^stands a JSON path into what is not JSON\.$/, say: "a JSON path needs a JSON column." },
  { form: /^stands the function (?<name>.+), which does not exist\.$/, say: "there is no function {name}." },
  {
    form: /^(?<name>.+) has (?<given>\d+) arguments, and takes (?<least>\d+)\.$/,
    say: "{name} takes {least} arguments, not {given}.",
  },
  {
    form: /^(?<name>.+) has (?<given>\d+) arguments, and takes (?<least>\d+) to (?<most>\d+)\.$/,
    say: "{name} takes {least} to {most} arguments, not {given}.",
  },
  { form: /^(?<name>\w+) has to have one argument\.$/, say: "{name} takes one argument." },
  {
    form: /^stands (?<name>\w+), which is worked out over several rows, and cannot be asked here\.$/,
    say: "{name} is an aggregate and cannot be used here.",
  },
  { form: /^stands (?<name>\w+) of a shape\.$/, say: "{name} does not work with shapes." },
  {
    form: /^The number at character (?<place>\d+) of the clause is too large\.$/,
    say: "The number at character {place} of the condition is too large.",
  },
  {
    form: /^The JSON path at character (?<place>\d+) of the clause cannot be read: (?<rest>.*)$/s,
    say: "The JSON path at character {place} of the condition cannot be read: {rest}",
  },
  {
    form: new RegExp(
      String.raw`^A clause can (?:have|call|calculate|be` +
        String.raw`|ask for) (?<count>\d+) (?<what>.+) at most(?: that are worked out)?\.$`,
    ),
    say: "A condition can have at most {count, number} {what}.",
  },
  { form: /^characters$/, say: "characters" },
  { form: /^names, values and operations$/, say: "names, values and operations" },
  { form: /^functions$/, say: "functions" },
  { form: /^times$/, say: "calculations" },
  { form: /^levels deep$/, say: "nested levels" },
  { form: /^columns$/, say: "calculated columns" },
  {
    form: /^A pattern can have (?<count>\d+) characters at most\.$/,
    say: "A pattern can have at most {count, number} characters.",
  },
  {
    form: /^A list can have (?<count>\d+) (?:values|entries) at most\.$/,
    say: "A list can have at most {count, number} values.",
  },
  {
    form: /^What is asked here can lead through (?<count>\d+) relations at most\.$/,
    say: "A query can follow at most {count, number} relations.",
  },
  {
    form: /^A query can ask (?<count>\d+) times in one place for what not everybody finds alike\.$/,
    say: "Columns with per-reader values can be used at most {count, number} times.",
  },
  {
    form: /^A query can load (?<count>\d+) (?:related records|relations) at most\.$/,
    say: "Related records can be read at most {count, number} times.",
  },
  {
    form: /^A query can ask for (?<count>\d+) properties at most\.$/,
    say: "At most {count, number} columns can be queried at once.",
  },
  {
    form: /^A record is found by 1 to (?<count>\d+) columns\.$/,
    say: "A record can be found by at most {count, number} columns.",
  },
  { form: /^A property cannot be called (?<name>.+)\.$/, say: "A result column cannot be named “{name}”." },
  {
    form: /^Table '(?<table>.*)' is in no relation '(?<name>.*)' of a table '(?<other_table>.*)'\.$/,
    say: "No relation “{name}” of a table “{other_table}” leads to the table “{table}”.",
  },
  {
    form: /^Column '(?<name>.*)' does not exist in table '(?<table>.*)'$/s,
    say: "The table “{table}” has no column “{name}”.",
  },
];
