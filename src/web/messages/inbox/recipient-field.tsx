import type { Recipient } from "#community/conversations";
import { UsernamesField } from "../../composer/usernames-field.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Field for the recipients of a message. With scripts it says why some people accept no messages. */
export function RecipientField(field: { name: string; label: string; defaultValue?: string; hint?: string }) {
  const t = useTranslate();
  const why = useUnavailableReasons();
  return (
    <UsernamesField
      {...field}
      required
      listLabel={t("Recipients")}
      ask={urls.whoCanBeWrittenTo}
      // A name that is typed completely gets no suggestions, since the list would cover the fields below.
      as={(found, typed) =>
        found
          .filter(({ name, why: reason }) => reason || name !== typed.toLowerCase())
          .map(({ why: reason, ...person }) => ({ ...person, cannot: reason ? why[reason] : null }))
      }
    />
  );
}

function useUnavailableReasons(): Record<NonNullable<Recipient["why"]>, string> {
  const t = useTranslate();
  return {
    limited: t("Your account is restricted: you can message friends and moderators of your groups only."),
    newcomer: t("New members can message friends and moderators of their groups only."),
    nobody: t("Accepts no new conversations."),
    friends: t("Accepts messages of friends only."),
    groups: t("Accepts messages of friends and group members only."),
    connected: t("Accepts messages of friends, their friends and group members only."),
    everyone: t("Not available for messages."),
  };
}
