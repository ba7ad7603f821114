import { mailLinks, type MailContext } from "./mail-context.ts";
import type { NotificationRecipient } from "./mail-recipient.ts";
import { fillMessage, mailMessagesFor } from "./messages/index.ts";
import type { Notice, NotificationRow } from "./notification-emails.ts";
import { replyMarkCode } from "./reply-text/reply-mark.ts";

type MailContent = {
  app: MailContext;
  to: NotificationRecipient;
  lead: NotificationRow;
  notice: Notice;
  community: string;
  unsubscribe: string;
  token: string | null;
};

/** The content of a mail about a notice, with greeting and footer. */
export function createNotificationEmail({
  app,
  to,
  lead,
  notice,
  community,
  unsubscribe,
  token,
}: MailContent) {
  const { language, words } = mailMessagesFor(to.locale);
  const [first] = notice.parts;
  return {
    language,
    community,
    subject: notice.subject,
    ...(token && { answerLine: `${words.answerLine} · ${replyMarkCode(token)}` }),
    preheader: first?.kind === "sentence" ? first.text : undefined,
    parts: [
      { kind: "sentence" as const, text: fillMessage(words.hello, { name: to.name }) },
      ...notice.parts,
    ],
    act: notice.act,
    footer: {
      lines: [
        ...(token ? [words.answerByMail] : []),
        fillMessage(words.why[lead.reason] ?? words.why.you_asked, {
          group: notice.group,
          community,
        }),
      ],
      links: [
        { words: words.change, link: mailLinks.settings(app, to.id) },
        { words: words.stop, link: unsubscribe },
      ],
    },
  };
}
