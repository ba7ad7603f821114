import type { Email } from "postal-mime";
import { htmlToText } from "#platform/mail";
import { htmlMailToMarkdown } from "./reply-text/html-text.ts";
import { type Context, extractReply, type ReplyText } from "./reply-text/own-text.ts";

/**
 * Extracts the author's own text from a reply by mail. Uses the plain text, or the HTML if there is no plain
 * text.
 */
export function readReply(mail: Pick<Email, "text" | "html">, context: Context): ReplyText {
  const plain = mail.text?.trim() ? extractReply(mail.text, "plain", context) : null;
  if (plain?.text || !mail.html?.trim()) return plain ?? { text: "", asWritten: "", leftOut: "" };
  const html = extractReply(htmlMailToMarkdown(mail.html), "markdown", context);
  return html.text || !plain ? html : plain;
}

/** The whole text of a mail with its quotations, for mails in which no text of the author was found. */
export const readWholeText = (mail: Pick<Email, "text" | "html">): string =>
  mail.text?.trim() || htmlToText((mail.html ?? "").slice(0, 500_000));
