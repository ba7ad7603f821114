import { ButtonLink, EmptyState } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Shown to people who are in no group where they may create events. */
export function NoEventGroups() {
  const t = useTranslate();
  return (
    <EmptyState
      title={t("You are not in a group where you can create events.")}
      action={
        <ButtonLink kind="primary" to={urls.groups({ tab: "discover" })}>
          {t("Browse groups")}
        </ButtonLink>
      }
    >
      {t("Events belong to groups. Find one, or create your own.")}
    </EmptyState>
  );
}
