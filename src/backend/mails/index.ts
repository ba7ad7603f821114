export { openEmail } from "./mails.ts";
export type { EmailRules, EmailContext, EmailSender, EmailText } from "./mails.ts";
export { MAX_ATTACHMENTS, readAttachments } from "./attachments.ts";
export { fillPlaceholders, previewPlaceholders, listPlaceholders } from "./filling.ts";
export type { PlaceholderValues } from "./filling.ts";
export { sendEmail } from "./sending.ts";
export type { FoundRecipient, NewEmail } from "./sending.ts";
export { cancelEmail, listLatestEmails, getEmailStatus, purgeEmails } from "./status.ts";
export type { EmailInfo, SentEmailRow } from "./status.ts";
export {
  createEmailTemplate,
  changeEmailTemplate,
  listEmailTemplates,
  NewEmailTemplate,
  deleteEmailTemplate,
  getEmailTemplate,
  getEmailTemplateByName,
} from "./templates.ts";
export type { EmailTemplate, EmailTemplateRow } from "./templates.ts";
