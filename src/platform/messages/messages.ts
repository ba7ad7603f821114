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

/** A plain string has no values: its braces are only braces. */
export type Message = string | MessageDescriptor;

/** A message with values. Its text is a literal, so that the extraction finds it. */
export const msg = (message: string, values?: Record<string, unknown>): MessageDescriptor =>
  values ? { message, values } : { message };

/** For messages as values of others: a string there is not ours and stays as it is. */
export const toDescriptor = (message: Message): MessageDescriptor =>
  typeof message === "string" ? msg(message) : message;

const isDescriptor = (value: unknown): value is MessageDescriptor =>
  typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";

/** Puts a message into words by `translate`, the messages among its values first. */
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
  const formatted = Object.entries(values).map(([name, value]) => [name, format(value)]);
  return translate(text, Object.fromEntries(formatted) as Record<string, unknown>);
}

/** Messages one below the other. */
export const joinLines = (messages: readonly Message[]): Message =>
  messages.reduce((above, below) => ({
    message: "{above}\n{below}",
    values: { above: toDescriptor(above), below: toDescriptor(below) },
  }));

const english = setupI18n({ locale: "en", messages: { en: {} } }).setMessagesCompiler(compileMessage);

export const formatEnglish = (text: string, values?: Record<string, unknown>): string =>
  values ? english._(text, values) : text;

/** The English text, for API clients and logs. */
export const toEnglish = (message: Message): string => formatMessage(message, formatEnglish);

/** The English texts of fields. */
export const toEnglishFields = (fields: Record<string, Message>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name, toEnglish(message)]));

const MAX_STORED_LENGTH = 4_000;
const MAX_STORED_TEXT = 500;

/** JSON of a message for a column: without what PostgreSQL refuses; English and shortened if it is long. */
export function toStoredMessage(message: Message): string {
  const json = JSON.stringify(message, (_name, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : value,
  );
  return json.length <= MAX_STORED_LENGTH
    ? json
    : toStoredMessage(toEnglish(message).slice(0, MAX_STORED_TEXT));
}
