export { type CalendarEntry, writeCalendar } from "./calendar-files.ts";
export {
  type InvitationMethod,
  type InvitationReply,
  readInvitationReply,
  writeInvitation,
} from "./invitations.ts";
