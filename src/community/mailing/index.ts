export { countStops, resumeAll, resumeMail, stopFor, stopMail } from "./stopping.ts";
export type { MailStop, Scope } from "./stopping.ts";
export { mailDue } from "./due.ts";
export { forgetDigests, mailDigests } from "./digest.ts";
export { forgetReplies } from "./reply-addresses.ts";
export type { MailHouse } from "./house.ts";
