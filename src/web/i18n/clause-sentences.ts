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
const kindPattern = (sentence: string) => new RegExp(`^${sentence.replaceAll("KIND", `(?:${VALUE_KIND_PATTERN})`)}$`);

/** Errors of clauses (`src/baas/data/clause` and `query`): first the position, then the error. */
export const CLAUSE_SENTENCES = [
  { form: /^At character (?<place>\d+) of the clause (?<what>.+)$/, say: "At character {place} of the condition: {what}" },
  { form: /^stands what is neither true nor false\.$/, say: "this is neither true nor false." },
  { form: /^stands its end, where .+ was expected\.$/, say: "here it ends, and something is missing." },
  { form: kindPattern("stands (?<kind>KIND), where (?<other>KIND) was expected\\."), say: "{kind} stands where {other} belongs." },
  { form: kindPattern("(?<kind>KIND) is compared with (?<other>KIND)\\."), say: "{kind} and {other} cannot be compared." },
  { form: kindPattern("stands (?<typed>.*), which is not (?<kind>KIND)\\."), say: "{kind} belongs here, and not: {typed}" },
  { form: /^shapes are put in order\.$/, say: "shapes have no order." },
  { form: /^stands a JSON path into what is not JSON\.$/, say: "a JSON path leads into what is not JSON." },
  { form: /^stands the function (?<name>.+), which does not exist\.$/, say: "there is no function {name}." },
  {
    form: /^(?<name>.+) has (?<given>\d+) arguments, and takes (?<least>\d+)\.$/,
    say: "the number of arguments of {name} is {given}, and has to be {least}.",
  },
  {
    form: /^(?<name>.+) has (?<given>\d+) arguments, and takes (?<least>\d+) to (?<most>\d+)\.$/,
    say: "the number of arguments of {name} is {given}, and has to be {least} to {most}.",
  },
  { form: /^(?<name>\w+) has to have one argument\.$/, say: "{name} has to have one argument." },
  {
    form: /^stands (?<name>\w+), which is worked out over several rows, and cannot be asked here\.$/,
    say: "{name} is worked out over several records, and cannot be asked here.",
  },
  { form: /^stands (?<name>\w+) of a shape\.$/, say: "{name} cannot be worked out of shapes." },
  {
    form: /^The number at character (?<place>\d+) of the clause is too large\.$/,
    say: "The number at character {place} of the condition is too large.",
  },
  {
    form: /^The JSON path at character (?<place>\d+) of the clause cannot be read: (?<rest>.*)$/s,
    say: "The JSON path at character {place} of the condition cannot be read: {rest}",
  },
  {
    form: /^A clause can (?:have|call|calculate|be|ask for) (?<count>\d+) (?<what>.+) at most(?: that are worked out)?\.$/,
    say: "A condition can have {count, number} {what} at the most.",
  },
  { form: /^characters$/, say: "characters" },
  { form: /^names, values and operations$/, say: "names, values and operations" },
  { form: /^functions$/, say: "functions" },
  { form: /^times$/, say: "calculations" },
  { form: /^levels deep$/, say: "levels within one another" },
  { form: /^columns$/, say: "columns that are worked out" },
  { form: /^A pattern can have (?<count>\d+) characters at most\.$/, say: "A pattern can have {count, number} characters at the most." },
  { form: /^A list can have (?<count>\d+) (?:values|entries) at most\.$/, say: "A list can have {count, number} values at the most." },
  {
    form: /^What is asked here can lead through (?<count>\d+) relations at most\.$/,
    say: "What is asked here can lead through {count, number} relations at the most.",
  },
  {
    form: /^A query can ask (?<count>\d+) times in one place for what not everybody finds alike\.$/,
    say: "What not everybody finds alike can be asked for {count, number} times at the most.",
  },
  {
    form: /^A query can load (?<count>\d+) (?:related records|relations) at most\.$/,
    say: "What is related can be read {count, number} times at the most.",
  },
  {
    form: /^A query can ask for (?<count>\d+) properties at most\.$/,
    say: "{count, number} columns at the most can be asked for at once.",
  },
  { form: /^A record is found by 1 to (?<count>\d+) columns\.$/, say: "A record is found by {count, number} columns at the most." },
  { form: /^A property cannot be called (?<name>.+)\.$/, say: "Nothing that is asked for can be called “{name}”." },
  {
    form: /^Table '(?<table>.*)' is in no relation '(?<name>.*)' of a table '(?<other_table>.*)'\.$/,
    say: "No relation “{name}” of a table “{other_table}” leads to the table “{table}”.",
  },
  { form: /^Column '(?<name>.*)' does not exist in table '(?<table>.*)'$/s, say: "The table “{table}” has no column “{name}”." },
];
