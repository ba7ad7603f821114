import { ActionForm } from "../people/action-form.tsx";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { ButtonLink, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useLocale, useTranslate } from "../i18n/index.ts";
import type { ResourcePageData, ShownResource } from "./resource-data.ts";

type HiddenResourceProps = {
  resource: ShownResource;
  /** The entry of the viewer's own resource that a moderator asked them to change. */
  pending: { isReturned: boolean; answer: string } | undefined;
  can: Pick<ResourcePageData["can"], "own" | "mendable" | "unhide">;
};

/** Notice above a hidden resource: why it is hidden, and what its owner or moderators can do. */
export function HiddenResourceNotice({ resource, pending, can }: HiddenResourceProps) {
  const t = useTranslate();
  const { now, timeZone } = useRootData();
  const clock = dateFormat(useLocale(), { timeStyle: "short", timeZone });
  if (resource.state !== "hidden") return null;
  const { mendable } = can;
  if (resource.returnedAt !== null)
    return <ReturnedResourceNotice resource={resource} pending={pending} can={can} />;
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

/** Notice above a resource that a moderator asked its owner to change. */
function ReturnedResourceNotice({ resource, pending, can }: HiddenResourceProps) {
  const t = useTranslate();
  return (
    <div className="notice mb-5" data-tone="pending" role="note">
      <div className="grid flex-1 justify-items-start gap-2">
        <p>
          {!pending
            ? t(
                "A moderator asked the owner for changes. Only the owner and moderators can see this resource.",
              )
            : pending.isReturned
              ? t("A moderator asked for changes: edit it and a moderator reviews it again.")
              : t("Only you and moderators can see this resource until your changes are reviewed.")}
        </p>
        {pending?.answer && (
          <p dir="auto" className="break-words">
            {pending.answer}
          </p>
        )}
        {can.mendable && <ButtonLink to={urls.editResource(resource.id)}>{t("Edit")}</ButtonLink>}
        {can.unhide && (
          <ActionForm intent="unhide" fields={{}} busy={t("Showing…")}>
            {t("Show to everyone")}
          </ActionForm>
        )}
      </div>
    </div>
  );
}
