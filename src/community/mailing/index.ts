export { countStops, resumeAll, resumeMail, stopFor, stopMail } from "./stopping.ts";
export type { MailStop, Scope } from "./stopping.ts";
