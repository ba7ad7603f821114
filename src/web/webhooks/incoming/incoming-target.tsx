import type { IncomingWebhook } from "#community/webhooks";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";

/** Which bot posts where, and how often it has. */
export function IncomingTarget({ webhook }: { webhook: IncomingWebhook }) {
  const t = useTranslate();
  const { bot, discussion, startsDiscussions, messages, usedAt } = webhook;
  return (
    <div className="text-small text-quiet">
      <p className="break-words">
        {startsDiscussions ? (
          t("{bot} starts a discussion with each message.", { bot: bot.name })
        ) : discussion ? (
          <Rich
            text="{bot} posts in <0>{title}</0>"
            values={{ bot: bot.name, title: discussion.title }}
            parts={{ 0: <Link to={urls.discussion(discussion.id)} dir="auto" /> }}
          />
        ) : (
          <span className="text-red">
            {t("The discussion was deleted or moved to another group. Choose another one.")}
          </span>
        )}
      </p>
      <p>
        {t("{count, plural, =0 {No messages yet} one {# message} other {# messages}}", { count: messages })}
        {usedAt && (
          <>
            {" · "}
            <Rich text="last one <0></0>" parts={{ 0: <Time at={usedAt} /> }} />
          </>
        )}
      </p>
    </div>
  );
}
