export { post, openPost } from "./post.ts";
export type { Mail, Post } from "./post.ts";
export { mailbox, mailInBox } from "./mailbox.ts";
export type { BoxedMail } from "./mailbox.ts";
