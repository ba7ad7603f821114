import { useWords } from "../words/index.ts";
import type { ROLES, SPANS, STATES } from "./account-kinds.ts";

/** Label of each account state. */
export function useStateWords(): Record<(typeof STATES)[number] | "erased", string> {
  const t = useWords();
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

export function useRoleWords(): Record<(typeof ROLES)[number], string> {
  const t = useWords();
  return { member: t("Member"), moderator: t("Moderator"), admin: t("Admin") };
}

export function useSpanWords(): Record<(typeof SPANS)[number], string> {
  const t = useWords();
  return {
    1: t("For a day"),
    3: t("For three days"),
    7: t("For a week"),
    30: t("For 30 days"),
    90: t("For 90 days"),
    "": t("Until it is lifted"),
  };
}
