export { createEmailContext } from "./email-context.ts";
export type { EmailRules, EmailContext, EmailSender, EmailText } from "./email-context.ts";
export { MAX_ATTACHMENTS, readAttachments } from "./email-attachments.ts";
export { fillPlaceholders, previewPlaceholders, listPlaceholders } from "./email-placeholders.ts";
export type { PlaceholderValues } from "./email-placeholders.ts";
export { sendEmail } from "./send-email.ts";
export type { FoundRecipient, NewEmail } from "./send-email.ts";
export { cancelEmail, listLatestEmails, getEmailStatus, purgeEmails } from "./email-status.ts";
export type { EmailInfo, SentEmailRow } from "./email-status.ts";
export {
  createEmailTemplate,
  changeEmailTemplate,
  listEmailTemplates,
  NewEmailTemplate,
  deleteEmailTemplate,
  getEmailTemplate,
  getEmailTemplateByName,
} from "./email-templates.ts";
export type { EmailTemplate, EmailTemplateRow } from "./email-templates.ts";
