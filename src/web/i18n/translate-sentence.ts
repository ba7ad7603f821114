import type { I18n } from "@lingui/core";
import { translate } from "./catalogues.ts";
import { DATA_SENTENCES } from "./table-sentences.ts";
import { WAIT_SENTENCES } from "./wait-sentences.ts";

/**
 * Sentences that the server builds of texts, numbers and typed values. `what`, `kind` and `other` are texts
 * of ours and translated too, `count` is a number, everything else stays as it is.
 */
const SENTENCE_PATTERNS = [
  // First, since they are more specific than the general patterns about clauses.
  ...DATA_SENTENCES,
  ...WAIT_SENTENCES,
  {
    form: /^(?<what>.+) can have (?<count>[\d,]+) characters at most\.$/,
    say: "{what} can have at most {count, number} characters.",
  },
  {
    form: /^(?<what>.+) needs (?<count>[\d,]+) characters at least\.$/,
    say: "{what} needs at least {count, number} characters.",
  },
  { form: /^At most (?<count>[\d,]+) characters\.$/, say: "At most {count, number} characters." },
  { form: /^At least (?<count>\d+) characters\.$/, say: "At least {count, number} characters." },
  {
    form: /^At least (?<count>\d+) different characters\.$/,
    say: "At least {count, number} different characters.",
  },
  {
    form: /^That is more than (?<count>\d+) MB, which is the most that fits here\.$/,
    say: "This is larger than the limit of {count, number} MB.",
  },
  {
    form: /^That form has more than (?<count>\d+) fields, which is the most that fits here\.$/,
    say: "That form has more than {count, number} fields, which is the most that fits here.",
  },
  {
    form: /^An address can have (?<count>\d+) parameters at most\.$/,
    say: "An address can have {count, number} parameters at most.",
  },
  {
    form: new RegExp(
      String.raw`^You have stored (?<used>[\d.]+ \wB) of the ` +
        String.raw`(?<most>[\d.]+ \wB) that one member may\. Take something away first\.$`,
    ),
    say: "You use {used} of the {most} that a member may store. Delete something first.",
  },
  {
    form: /^Your name can change once in 30 days; the next time in (?<count>\d+) days\.$/,
    say: "You can change your name every 30 days; next in {count, plural, one {one day} other {# days}}.",
  },
  // Errors of an automation (`src/baas/automations`): where, and what.
  { form: /^(?<place>\w+(?:\.\w+)*): (?<what>.+)$/, say: "{place}: {what}" },
  {
    form: /^(?<what>.+) can have at most (?<count>\d+) characters as JSON\.$/,
    say: "{what} can have at most {count, number} characters as JSON.",
  },
  {
    form: /^(?<what>.+) can be nested at most (?<count>\d+) levels\.$/,
    say: "{what} can be nested at most {count} levels.",
  },
  { form: /^At most (?<count>[\d,]+) triggers\.$/, say: "At most {count, number} triggers." },
  { form: /^At most (?<count>[\d,]+) steps\.$/, say: "At most {count, number} steps." },
  { form: /^At most (?<count>[\d,]+) roles\.$/, say: "At most {count, number} roles." },
  { form: /^At most (?<count>[\d,]+) seconds\.$/, say: "At most {count, number} seconds." },
  { form: /^There have to be (?<count>\d+) seconds at least\.$/, say: "At least {count, number} seconds." },
  { form: /^This can be at most (?<count>\d+)\.$/, say: "This can be at most {count, number}." },
  {
    form: /^Steps can be nested at most (?<count>\d+) levels\.$/,
    say: "Steps can be nested at most {count, number} levels.",
  },
  {
    form: /^There are (?<count>\d+) automations, the maximum\.$/,
    say: "There are {count, number} automations, the maximum.",
  },
  {
    form: /^Changes in '(?<table>.*)' cannot start an automation\. Of the community, these can: (?<list>.+)\.$/,
    say: "Changes in “{table}” cannot start an automation. Of the community, these can: {list}.",
  },
  {
    form: /^'(?<table>.*)' has no event (?<event>[\w-]+): use one of (?<list>.+)\.$/,
    say: "“{table}” has no event {event}: use one of {list}.",
  },
  {
    form: /^There is no table '(?<table>.*)'\. Did you mean '(?<other>.*)'\?$/,
    say: "There is no table “{table}”. Did you mean “{other}”?",
  },
  { form: /^There is no table '(?<table>.*)'\.$/, say: "There is no table “{table}”." },
  { form: /^This must be one of (?<list>.+)\.$/, say: "This must be one of {list}." },
  { form: /^Not found: (?<names>.+)\.$/, say: "Not found: {names}." },
  {
    form: /^(?<template>'.+') is not a path: templates name data of the run, as in (?<example>\S+)\.$/,
    say: "{template} is not a path: templates name data of the run, as in {example}.",
  },
  {
    form: /^At character (?<place>\d+) of the clause stands (?<stands>.+), where .+ was expected\.$/,
    say: "Unexpected at character {place} of the condition: {stands}",
  },
  {
    form: /^Character (?<place>\d+) of the clause cannot be read: (?<rest>.*)$/,
    say: "Character {place} of the condition cannot be read: {rest}",
  },
  {
    form: /^'(?<typed>.*)' is no schedule: .+$/,
    say: "“{typed}” is not a schedule: it needs minute, hour, day, month and weekday.",
  },
  {
    form: /^'(?<typed>.*)' is no (?:minute|hour|day of the month|month|weekday)\.$/,
    say: "“{typed}” is not valid at that position of a schedule.",
  },
  { form: /^There is no such day\.$/, say: "There is no such day." },
  { form: /^The automation '(?<name>.*)' is off\.$/, say: "The automation “{name}” is off." },
  {
    form: /^No run of the automation '(?<name>.*)' is waiting for '(?<trigger>.*)'\.$/,
    say: "No run of the automation “{name}” is waiting for “{trigger}”.",
  },
];

/** Translates a sentence of the server: by the catalogue or by a pattern, line by line. */
export function translateSentence(i18n: I18n, sentence: string): string {
  if (i18n.locale === "en" || i18n.messages[sentence] !== undefined) return translate(i18n, sentence);
  if (sentence.includes("\n"))
    return sentence
      .split("\n")
      .map((line) => translateSentence(i18n, line))
      .join("\n");
  for (const made of SENTENCE_PATTERNS) {
    const found = made.form.exec(sentence);
    const values = found && translateParts(i18n, found.groups ?? {});
    if (values) return translate(i18n, made.say, values);
  }
  return sentence;
}

const TRANSLATED_PARTS = new Set(["what", "kind", "other"]);

/**
 * Translates the parts of a sentence; null if `what` has no translation: then the whole sentence stays as it
 * is.
 */
function translateParts(i18n: I18n, parts: Record<string, string>): Record<string, unknown> | null {
  const { what, count } = parts;
  const spoken = Object.entries(parts).map(
    ([name, part]) => [name, TRANSLATED_PARTS.has(name) ? translateSentence(i18n, part) : part] as const,
  );
  const values: Record<string, unknown> = Object.fromEntries(spoken);
  if (what !== undefined && values["what"] === what && i18n.messages[what] === undefined) return null;
  return count === undefined ? values : { ...values, count: Number(count.replaceAll(",", "")) };
}
