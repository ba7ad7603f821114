import { useTranslate } from "../i18n/index.ts";
import { ChoiceLink } from "../ui/index.ts";
import { urls } from "../urls.ts";

/** Links to a group's outgoing webhooks, incoming webhooks, and bots. */
export function WebhookSections({
  slug,
  current,
}: {
  slug: string;
  current: "outgoing" | "incoming" | "bots" | null;
}) {
  const t = useTranslate();
  return (
    <nav aria-label={t("Webhooks")} className="mb-5 flex flex-wrap gap-1">
      <ChoiceLink to={urls.manageGroup(slug, "webhooks")} current={current === "outgoing"}>
        {t("Outgoing")}
      </ChoiceLink>
      <ChoiceLink to={urls.incomingWebhooks(slug)} current={current === "incoming"}>
        {t("Incoming")}
      </ChoiceLink>
      <ChoiceLink to={urls.bots(slug)} current={current === "bots"}>
        {t("Bots")}
      </ChoiceLink>
    </nav>
  );
}
