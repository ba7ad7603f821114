export { type CalendarEntry, writeCalendar } from "./calendar-files.ts";
export {
  CalendarFileError,
  type ImportedCalendar,
  type ImportedEntry,
  type ImportSkipReason,
  readCalendarFile,
  type SkippedEvent,
} from "./calendar-import.ts";
export {
  type InvitationMethod,
  type InvitationReply,
  readInvitationReply,
  writeInvitation,
} from "./invitations.ts";
