import { useTranslate } from "../../i18n/index.ts";
import type { ACCOUNT_ROLES, SANCTION_DAYS, ACCOUNT_STATES } from "./account-options.ts";

/** Label of each account state. */
export function useAccountStateLabels(): Record<(typeof ACCOUNT_STATES)[number] | "erased" | "bot", string> {
  const t = useTranslate();
  return {
    pending_approval: t("Awaiting approval"),
    active: t("Open"),
    limited: t("Restricted"),
    suspended: t("Suspended"),
    unverified: t("Email not confirmed"),
    deactivated: t("Deactivated"),
    ghost: t("Imported, unclaimed"),
    guest: t("API guest"),
    staff: t("Staff"),
    erased: t("Erased"),
    bot: t("Bot"),
  };
}

export function useRoleLabels(): Record<(typeof ACCOUNT_ROLES)[number], string> {
  const t = useTranslate();
  return { member: t("Member"), moderator: t("Moderator"), admin: t("Admin") };
}

export function useSanctionLengthLabels(): Record<(typeof SANCTION_DAYS)[number], string> {
  const t = useTranslate();
  return {
    1: t("For a day"),
    3: t("3 days"),
    7: t("For a week"),
    30: t("30 days"),
    90: t("90 days"),
    "": t("Indefinitely"),
  };
}
