import { CLAUSE_SENTENCES } from "./clause-sentences.ts";

/** Refusals of record values, writes and quotas. */
const RECORD_SENTENCES = [
  {
    form: /^Unable to save object - invalid data type for properties - (?<names>.+)\. You can .+$/,
    say: "This is no value of the kind that the column has: {names}.",
  },
  {
    form: /^Unable to save object - invalid data type for properties - \. You can .+$/,
    say: "A value is not of the kind that its column has.",
  },
  { form: /^Invalid date format for property (?<name>.+)$/, say: "This is no date: {name}." },
  { form: /^Values are required for properties - (?<names>.+)$/, say: "There has to be a value: {names}." },
  {
    form: /^The value of property (?<name>.+) (?:has|would have) more than (?<count>\d+) characters\.$/,
    say: "“{name}” can have {count, number} characters at the most.",
  },
  {
    form: /^The value of property (?<name>.+) is more than (?<count>\d+) deep\.$/,
    say: "“{name}” can hold things {count, number} deep at the most.",
  },
  { form: /^The JSON path '(?<path>.*)' cannot be read\.$/s, say: "The JSON path “{path}” cannot be read." },
  { form: /^The list at (?<path>.+) would be too long\.$/s, say: "The list at “{path}” would be too long." },
  { form: /^(?<name>JSON_\w+) needs paths\.$/, say: "{name} needs paths." },
  {
    form: /^One change of a JSON value can have (?<count>\d+) paths\.$/,
    say: "One change of a JSON value can have {count, number} paths at the most.",
  },
  {
    form: /^Another object of the table '(?<table>.*)' has this value of the property (?<name>.+)\.$/,
    say: "Another record of the table “{table}” has this value already: {name}.",
  },
  { form: /^Entity with ID of the relation not found$/, say: "A record that this is about is no longer there." },
  { form: /^Entity with ID (?<id>.*) not found$/s, say: "There is no record with the ID “{id}”." },
  {
    form: /^An objectId has (?<count>\d+) characters at the most\.$/,
    say: "The ID of a record can have {count, number} characters at the most.",
  },
  { form: /^An object can have (?<count>\d+) properties\.$/, say: "A record can have {count, number} values at the most." },
  { form: /^An object can have (?<count>\d+) bytes\.$/, say: "A record can have {count, number} bytes at the most." },
  {
    form: /^The answer would have more than (?<count>\d+) bytes\. .+$/,
    say: "The answer would have more than {count, number} bytes. Ask for less at once.",
  },
  {
    form: /^One call can (?:bring|change|relate|save|name) (?<count>\d+) objects(?: of .+)?\.$/,
    say: "{count, number} records at the most can be changed at once.",
  },
  {
    form: /^The relation '(?<name>.*)' of '(?<table>.*)' is not changed here\.(?: .+)?$/,
    say: "The relation “{name}” of “{table}” is not changed here.",
  },
  {
    form: /^You are not allowed to \w+ objects of the table '(?<table>.*)'\.$/,
    say: "In the table “{table}” this is not allowed.",
  },
  { form: /^Objects of '(?<table>.*)' cannot be \w+ here\.$/, say: "In the table “{table}” this cannot be done." },
  {
    form: /^The tables of programs have room for (?<count>\d+) records\. .+$/,
    say: "The tables of programs have room for {count, number} records. Remove some, or ask for more room.",
  },
  {
    form: /^The tables of programs have room for (?<count>\d+) MB\. .+$/,
    say: "The tables of programs have room for {count, number} MB. Ask for more room, or that a table is taken away.",
  },
];

/** Refusals of table changes. */
const TABLE_SENTENCES = [
  { form: /^Table not found by name '(?<name>.*?)'\. Make sure .+$/s, say: "There is no table “{name}”." },
  { form: /^There is a table '(?<name>.*)' already\.$/, say: "There is a table “{name}” already." },
  { form: /^A table cannot be called '(?<name>.*)'\.$/, say: "A table cannot be called “{name}”." },
  { form: /^'(?<name>.*)' cannot be the name of a column\.$/s, say: "A column cannot be called “{name}”." },
  {
    form: /^The table '(?<table>.*)' belongs to the community and stays as it is\.$/,
    say: "The table “{table}” belongs to the community and stays as it is.",
  },
  {
    form: /^The table '(?<table>.*)' belongs to the community and stays as it is\. KITH_API_DEFAULTS=hosted allows this call\.$/,
    say: "The table “{table}” belongs to the community and stays as it is. KITH_API_DEFAULTS=hosted allows this call.",
  },
  {
    form: /^Columns that are added to '(?<table>.*)' have a name and a type alone\.$/,
    say: "A column added to “{table}” has a name and a type, and no other property.",
  },
  { form: /^There are as many tables as there can be \((?<count>\d+)\)\.$/, say: "There are {count, number} tables, as many as can be." },
  {
    form: /^The table '(?<table>.*)' has as many columns as a table can have \((?<count>\d+)\)\.$/,
    say: "The table “{table}” has {count, number} columns, as many as can be.",
  },
  {
    form: /^The table '(?<table>.*)' has a column '(?<name>.*)' already\.$/,
    say: "The table “{table}” has a column “{name}” already.",
  },
  { form: /^The column '(?<name>.*)' belongs to every table\.$/, say: "The column “{name}” belongs to every table." },
  {
    form: /^The column '(?<name>.*)' is of a kind that can be neither indexed nor unique\.$/,
    say: "The column “{name}” is of a kind that can be neither indexed nor unique.",
  },
  {
    form: /^The column '(?<name>.*)' of type (?<before>\w+) cannot become one of type (?<after>\w+)\.$/,
    say: "The column “{name}” cannot become {after}: it is {before}.",
  },
  { form: /^The column '(?<name>.*)' is worked out from others\.$/, say: "The column “{name}” is worked out from others." },
  { form: /^The column '(?<name>.*)' went at this moment\.$/, say: "The column “{name}” went at this moment." },
  { form: /^The default of the column '(?<name>.*)' is no value of it\.$/, say: "The default of the column “{name}” is no value of it." },
  { form: /^There are objects without a value of '(?<name>.*)'\.$/, say: "There are records without a value of “{name}”." },
  { form: /^There are objects with a longer value of '(?<name>.*)'\.$/, say: "There are records with a longer value of “{name}”." },
  { form: /^There are objects that share a value of '(?<name>.*)'\.$/, say: "There are records that share a value of “{name}”." },
];

/** Validation messages of schemas about requests that our pages never send. */
const SCHEMA_SENTENCES = [
  { form: /^The (?:body|query): (?<what>.+)$/, say: "This cannot be read: {what}" },
  { form: /^Invalid option: expected one of (?<list>.+)$/, say: "This is one of {list}." },
  { form: /^Too small: .+ >=(?<count>\d+)\b.*$/, say: "This has to be {count, number} at least." },
  { form: /^Too big: .+ <=(?<count>\d+)\b.*$/, say: "This can be {count, number} at the most." },
  { form: /^can have (?<count>\d+) characters$/, say: "{count, number} characters at the most." },
  { form: /^(?:Invalid (?:input|key)|Unrecognized key).*$/, say: "This is not what belongs here." },
];

/**
 * Translations of sentences of the data tables (`src/baas/data`); API clients get those sentences unchanged.
 */
export const DATA_SENTENCES = [...CLAUSE_SENTENCES, ...RECORD_SENTENCES, ...TABLE_SENTENCES, ...SCHEMA_SENTENCES];
