export { post } from "./post.ts";
export type { Mail, MailHeaders, MailKind } from "./post.ts";
export { openPost } from "./delivery.ts";
export type { Face, Post } from "./delivery.ts";
export { textOf } from "./letter.ts";
export type { Letter, Part } from "./letter.ts";
export { countBounce, BOUNCE, forgetBounces, isStopped } from "./bounces.ts";
export { mailbox, mailInBox } from "./mailbox.ts";
export type { BoxedMail } from "./mailbox.ts";
