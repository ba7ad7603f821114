export { countStops, resumeAll, resumeMail, stopFor, stopMail } from "./stopping.ts";
export type { MailStop, Scope } from "./stopping.ts";
export { emptyFolder } from "./pickup.ts";
export { takeIn } from "./incoming.ts";
export type { InHouse, Received } from "./incoming.ts";
export { mailDue } from "./due.ts";
export { recipientsOfPrograms } from "./of-programs.ts";
export { forgetDigests, mailDigests } from "./digest.ts";
export { forgetReplies } from "./reply-addresses.ts";
export type { MailHouse } from "./house.ts";

// Push uses the same notices as mail.
export { noticeOf } from "./notices.ts";
export type { Row as NoticeRow } from "./notices.ts";
export { readerFor } from "./recipient.ts";
export type { Reader } from "./recipient.ts";
export { NOTICE_KINDS } from "./due.ts";
export { wordsFor } from "./words/index.ts";
