import { useTranslate } from "../../i18n/index.ts";
import type { ACCOUNT_ROLES, SANCTION_DAYS, ACCOUNT_STATES } from "./account-options.ts";

/** Label of each account state. */
export function useAccountStateLabels(): Record<(typeof ACCOUNT_STATES)[number] | "erased", string> {
  const t = useTranslate();
  return {
    pending_approval: t("Waits for approval"),
    active: t("Open"),
    limited: t("Limited"),
    suspended: t("Suspended"),
    unverified: t("Has not confirmed the address"),
    deactivated: t("Is leaving"),
    ghost: t("Was brought in, has not come yet"),
    guest: t("Guest of a program"),
    staff: t("Looks after the place"),
    erased: t("Erased"),
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
    3: t("For three days"),
    7: t("For a week"),
    30: t("For 30 days"),
    90: t("For 90 days"),
    "": t("Until it is lifted"),
  };
}
