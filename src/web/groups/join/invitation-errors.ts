import type { InvitationView } from "#community/groups";
import { useTranslate } from "../../i18n/index.ts";

/** Title and advice for an invitation that no longer works, without naming the group. */
export function useInvitationErrors(): (state: Exclude<InvitationView["state"], "open">) => [string, string] {
  const t = useTranslate();
  return (state) =>
    ({
      used: [t("This invitation has been used."), t("As many have come by it as could. Ask whoever gave it to you for a new one.")],
      expired: [t("This invitation has expired."), t("It held for thirty days. Ask whoever gave it to you for a new one.")],
      revoked: [t("This invitation was taken back."), t("Whoever gave it to you can tell you more.")],
      "other-address": [
        t("This invitation is for another address."),
        t("It went to another mail address than that of your account. Sign in with that one, or ask for an invitation to yours."),
      ],
      closed: [t("This invitation leads nowhere any more."), t("The group is closed to you, or to everybody.")],
    })[state] as [string, string];
}
