export {
  countUnsubscriptions,
  resubscribeToAllMail,
  resubscribeToMail,
  getUnsubscribeState,
  unsubscribeFromMail,
} from "./unsubscribe.ts";
export type { UnsubscribeState, UnsubscribeScope } from "./unsubscribe.ts";
export { processMailFolder } from "./mail-folder.ts";
export { processInboundMail } from "./inbound-mail.ts";
export type { InboundContext, InboundResult } from "./inbound-mail.ts";
export { previewDecision } from "./preview-decision.ts";
export type { DecisionLetter, LetterText } from "./preview-decision.ts";
export { sendReminderMail } from "./reminder-mail.ts";
export { sendNotificationMail } from "./send-notification-mail.ts";
export { listApiMailRecipients } from "./api-client-recipients.ts";
export { deleteOldDigests, mailDigests } from "./digest.ts";
export { deleteExpiredReplyAddresses } from "./reply-addresses.ts";
export type { MailContext } from "./mail-context.ts";

// Push notifications are made from the same notices as mail.
export { createNotice } from "./notification-emails.ts";
export type { NotificationRow as NoticeRow } from "./notification-emails.ts";
export { getNotificationRecipient } from "./mail-recipient.ts";
export type { NotificationRecipient } from "./mail-recipient.ts";
export { MAILED_KINDS } from "./send-notification-mail.ts";
export { mailMessagesFor } from "./messages/index.ts";
