import { ActionForm } from "../people/action-form.tsx";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { ButtonLink, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { ResourcePageData, ShownResource } from "./resource-data.ts";

/** Notice above a hidden resource: why it is hidden, and what its owner or moderators can do. */
export function HiddenResourceNotice({
  resource,
  can,
}: {
  resource: ShownResource;
  can: Pick<ResourcePageData["can"], "own" | "mendable" | "unhide">;
}) {
  const t = useTranslate();
  const { now, timeZone } = useRootData();
  const clock = dateFormat(useLocale(), { timeStyle: "short", timeZone });
  if (resource.state !== "hidden") return null;
  const { mendable } = can;
  return (
    <div className="notice mb-5" data-tone="pending" role="note">
      <div className="grid flex-1 justify-items-start gap-2">
        <p>
          {resource.hiddenAt !== null && t("Several people reported this.")}{" "}
          {can.own
            ? t("Only you and moderators can see this resource until it is reviewed.")
            : t("Only the owner and moderators can see this resource until it is reviewed.")}{" "}
          {mendable &&
            (mendable.getTime() > now
              ? t("You can edit this resource once, from {time} on; then it is shown again.", {
                  time: clock.format(mendable),
                })
              : t("You can edit this resource once; then it is shown again."))}
        </p>
        {mendable && mendable.getTime() <= now && (
          <ButtonLink to={urls.editResource(resource.id)}>{t("Edit")}</ButtonLink>
        )}
        {can.unhide && (
          <ActionForm intent="unhide" fields={{}} busy={t("Showing…")}>
            {t("Show to everyone")}
          </ActionForm>
        )}
      </div>
    </div>
  );
}
