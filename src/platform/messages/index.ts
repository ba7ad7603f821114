export {
  formatEnglish,
  formatMessage,
  joinLines,
  msg,
  toDescriptor,
  toEnglish,
  toEnglishFields,
  toStoredMessage,
} from "./messages.ts";
export { issueMessage, maxCharacters, minCharacters, toIssue, UNKNOWN_NAMES } from "./issue-message.ts";
export type { Message, MessageDescriptor } from "./messages.ts";
