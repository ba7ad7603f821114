import { CLAUSE_SENTENCES } from "./clause-sentences.ts";

/** Refusals of record values, writes and quotas. */
const RECORD_SENTENCES = [
  {
    form: /^Unable to save object - invalid data type for properties - (?<names>.+)\. You can .+$/,
    say: "These values do not match the type of their column: {names}.",
  },
  {
    form: /^Unable to save object - invalid data type for properties - \. You can .+$/,
    say: "A value does not match the type of its column.",
  },
  { form: /^Invalid date format for property (?<name>.+)$/, say: "This is not a date: {name}." },
  { form: /^Values are required for properties - (?<names>.+)$/, say: "A value is required: {names}." },
  {
    form: /^The value of property (?<name>.+) (?:has|would have) more than (?<count>\d+) characters\.$/,
    say: "“{name}” can have at most {count, number} characters.",
  },
  {
    form: /^The value of property (?<name>.+) is more than (?<count>\d+) deep\.$/,
    say: "“{name}” can be nested at most {count, number} levels.",
  },
  { form: /^The JSON path '(?<path>.*)' cannot be read\.$/s, say: "The JSON path “{path}” cannot be read." },
  { form: /^The list at (?<path>.+) would be too long\.$/s, say: "The list at “{path}” would be too long." },
  { form: /^(?<name>JSON_\w+) needs paths\.$/, say: "{name} needs paths." },
  {
    form: /^One change of a JSON value can have (?<count>\d+) paths\.$/,
    say: "A JSON update can have at most {count, number} paths.",
  },
  {
    form: /^Another object of the table '(?<table>.*)' has this value of the property (?<name>.+)\.$/,
    say: "Another record of the table “{table}” has this value already: {name}.",
  },
  { form: /^Entity with ID of the relation not found$/, say: "A record in this call no longer exists." },
  { form: /^Entity with ID (?<id>.*) not found$/s, say: "There is no record with the ID “{id}”." },
  {
    form: /^An objectId has (?<count>\d+) characters at the most\.$/,
    say: "A record id can have at most {count, number} characters.",
  },
  {
    form: /^An object can have (?<count>\d+) properties\.$/,
    say: "A record can have at most {count, number} values.",
  },
  {
    form: /^An object can have (?<count>\d+) bytes\.$/,
    say: "A record can have at most {count, number} bytes.",
  },
  {
    form: /^The answer would have more than (?<count>\d+) bytes\. .+$/,
    say: "The result would exceed {count, number} bytes. Ask for less.",
  },
  {
    form: /^One call can (?:bring|change|relate|save|name) (?<count>\d+) objects(?: of .+)?\.$/,
    say: "At most {count, number} records can be changed at once.",
  },
  {
    form: /^The relation '(?<name>.*)' of '(?<table>.*)' is not changed here\.(?: .+)?$/,
    say: "The relation “{name}” of “{table}” cannot be changed here.",
  },
  {
    form: /^You are not allowed to \w+ objects of the table '(?<table>.*)'\.$/,
    say: "In the table “{table}” this is not allowed.",
  },
  {
    form: /^Objects of '(?<table>.*)' cannot be \w+ here\.$/,
    say: "The table “{table}” does not support this.",
  },
  {
    form: /^The tables of programs have room for (?<count>\d+) records\. .+$/,
    say: "Data tables are limited to {count, number} records. Delete some or raise the limit.",
  },
  {
    form: /^The tables of programs have room for (?<count>\d+) MB\. .+$/,
    say: "Data tables are limited to {count, number} MB. Delete a table or raise the limit.",
  },
];

/** Refusals of table changes. */
const TABLE_SENTENCES = [
  { form: /^Table not found by name '(?<name>.*?)'\. Make sure .+$/s, say: "There is no table “{name}”." },
  { form: /^There is a table '(?<name>.*)' already\.$/, say: "A table “{name}” already exists." },
  { form: /^A table cannot be called '(?<name>.*)'\.$/, say: "A table cannot be called “{name}”." },
  { form: /^'(?<name>.*)' cannot be the name of a column\.$/s, say: "A column cannot be called “{name}”." },
  {
    form: /^The table '(?<table>.*)' belongs to the community and stays as it is\.$/,
    say: "The table “{table}” belongs to the community and cannot be changed.",
  },
  {
    form: new RegExp(
      String.raw`^The table '(?<table>.*)' belongs to the community and stays as it is\. ` +
        String.raw`KITH_API_DEFAULTS=hosted allows this call\.$`,
    ),
    say: "The table “{table}” belongs to the community and stays as it is. KITH_API_DEFAULTS=hosted allows this call.",
  },
  {
    form: /^Columns that are added to '(?<table>.*)' have a name and a type alone\.$/,
    say: "A column added to “{table}” has a name and a type, and no other property.",
  },
  {
    form: /^There are as many tables as there can be \((?<count>\d+)\)\.$/,
    say: "There are {count, number} tables, the maximum.",
  },
  {
    form: /^The table '(?<table>.*)' has as many columns as a table can have \((?<count>\d+)\)\.$/,
    say: "The table “{table}” has {count, number} columns, the maximum.",
  },
  {
    form: /^The table '(?<table>.*)' has a column '(?<name>.*)' already\.$/,
    say: "The table “{table}” already has a column “{name}”.",
  },
  {
    form: /^The column '(?<name>.*)' belongs to every table\.$/,
    say: "The column “{name}” exists in every table.",
  },
  {
    form: /^The column '(?<name>.*)' is of a kind that can be neither indexed nor unique\.$/,
    say: "The type of the column “{name}” can be neither indexed nor unique.",
  },
  {
    form: /^The column '(?<name>.*)' of type (?<before>\w+) cannot become one of type (?<after>\w+)\.$/,
    say: "The column “{name}” cannot become {after}: it is {before}.",
  },
  {
    form: /^The column '(?<name>.*)' is worked out from others\.$/,
    say: "The column “{name}” is calculated.",
  },
  { form: /^The column '(?<name>.*)' went at this moment\.$/, say: "The column “{name}” was just deleted." },
  {
    form: /^The default of the column '(?<name>.*)' is no value of it\.$/,
    say: "The default of the column “{name}” is not a valid value.",
  },
  {
    form: /^There are objects without a value of '(?<name>.*)'\.$/,
    say: "Some records have no value of “{name}”.",
  },
  {
    form: /^There are objects with a longer value of '(?<name>.*)'\.$/,
    say: "Some records have a longer value of “{name}”.",
  },
  {
    form: /^There are objects that share a value of '(?<name>.*)'\.$/,
    say: "Some records have the same value of “{name}”.",
  },
];

/** Validation messages of schemas about requests that our pages never send. */
const SCHEMA_SENTENCES = [
  { form: /^The (?:body|query): (?<what>.+)$/, say: "This cannot be read: {what}" },
  { form: /^Invalid option: expected one of (?<list>.+)$/, say: "This must be one of {list}." },
  { form: /^Too small: .+ >=(?<count>\d+)\b.*$/, say: "This must be at least {count, number}." },
  { form: /^Too big: .+ <=(?<count>\d+)\b.*$/, say: "This can be at most {count, number}." },
  { form: /^can have (?<count>\d+) characters$/, say: "At most {count, number} characters." },
  { form: /^(?:Invalid (?:input|key)|Unrecognized key).*$/, say: "This value is not valid here." },
];

/**
 * Translations of sentences of the data tables (`src/baas/data`); API clients get those sentences unchanged.
 */
export const DATA_SENTENCES = [
  ...CLAUSE_SENTENCES,
  ...RECORD_SENTENCES,
  ...TABLE_SENTENCES,
  ...SCHEMA_SENTENCES,
];
