import type { LinkDomainAction } from "#community/prevention";
import { useTranslate } from "../../i18n/index.ts";

/** Name and effect of each action. */
export function useLinkDomainActions(): Record<LinkDomainAction, { label: string; effect: string }> {
  const t = useTranslate();
  return {
    approve: { label: t("Approve first"), effect: t("a moderator decides before it is published") },
    block: { label: t("Block"), effect: t("it cannot be sent, and the author reads why") },
  };
}
