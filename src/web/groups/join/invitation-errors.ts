import type { InvitationView } from "#community/groups";
import { useTranslate } from "../../i18n/index.ts";

/** Title and advice for an invitation that no longer works, without naming the group. */
export function useInvitationErrors(): (state: Exclude<InvitationView["state"], "open">) => [string, string] {
  const t = useTranslate();
  return (state) => {
    const errors: Record<typeof state, [string, string]> = {
      used: [
        t("This invitation has been used."),
        t("This link has been used by as many people as it allows. Ask for a new one."),
      ],
      expired: [
        t("This invitation has expired."),
        t("The link has expired after 30 days. Ask for a new one."),
      ],
      revoked: [t("This invitation was revoked."), t("Ask the sender about it.")],
      "other-address": [
        t("This invitation is for another address."),
        t(
          "The invitation was sent to another email address. Sign in with that address, or ask for " +
            "an invitation to your own.",
        ),
      ],
      closed: [t("This invitation is no longer valid."), t("The group is not open to you at the moment.")],
    };
    return errors[state];
  };
}
