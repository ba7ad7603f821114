import { setupI18n } from "@lingui/core";
import { compileMessage } from "@lingui/message-utils/compileMessage";

/**
 * A text for people: English in ICU form with named values. Values may be messages
 * themselves, and lists.
 */
export type MessageDescriptor = {
  readonly message: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly context?: string;
};

/** A plain string has no values, so its braces are ordinary characters. */
export type Message = string | MessageDescriptor;

/** Creates a message with values. Its text must be a literal, so that the extraction finds it. */
export const msg = (message: string, values?: Record<string, unknown>): MessageDescriptor =>
  values ? { message, values } : { message };

/** Converts a message for use as a value of another message, where a plain string would not be translated. */
export const toDescriptor = (message: Message): MessageDescriptor =>
  typeof message === "string" ? msg(message) : message;

const isDescriptor = (value: unknown): value is MessageDescriptor =>
  typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";

/** Formats a message by `translate`, after the messages among its values. */
export function formatMessage(
  message: Message,
  translate: (text: string, values?: Record<string, unknown>) => string,
): string {
  const { message: text, values } = toDescriptor(message);
  if (!values) return translate(text);
  const format = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(format).join(", ");
    return isDescriptor(value) ? formatMessage(value, translate) : value;
  };
  const formatted = Object.entries(values).map(([name, value]) => [name, format(value)] as const);
  return translate(text, Object.fromEntries(formatted));
}

/** Joins messages, one per line. */
export const joinLines = (messages: readonly Message[]): Message =>
  messages.reduce((above, below) => ({
    message: "{above}\n{below}",
    values: { above: toDescriptor(above), below: toDescriptor(below) },
  }));

const english = setupI18n({ locale: "en", messages: { en: {} } }).setMessagesCompiler(compileMessage);

export const formatEnglish = (text: string, values?: Record<string, unknown>): string =>
  values ? english._(text, values) : text;

/** Formats the English text, for API clients and logs. */
export const toEnglish = (message: Message): string => formatMessage(message, formatEnglish);

/** Formats the English texts of fields. */
export const toEnglishFields = (fields: Record<string, Message>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name, toEnglish(message)]));

const MAX_STORED_LENGTH = 4_000;
const MAX_STORED_TEXT = 500;

/**
 * Serialises a message to JSON for a column: without characters that PostgreSQL rejects; a long one is
 * stored in English and shortened.
 */
export function toStoredMessage(message: Message): string {
  const json = JSON.stringify(message, (_name, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value,
  );
  return json.length <= MAX_STORED_LENGTH
    ? json
    : toStoredMessage(toEnglish(message).slice(0, MAX_STORED_TEXT));
}
