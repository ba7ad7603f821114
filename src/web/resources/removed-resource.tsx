import type { Tombstone } from "#community/resources";
import { ActionForm } from "../people/action-form.tsx";
import { ButtonLink, EmptyState, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import type { ResourcePageData, ShownResource } from "./resource-data.ts";

/** Shown instead of a removed resource. */
export function RemovedResource({ at, byOwner, reason }: Tombstone) {
  const t = useTranslate();
  return (
    <div className="mx-auto max-w-xl py-8">
      <h1 className="sr-only">{t("Gone")}</h1>
      <EmptyState
        title={byOwner ? t("The owner removed this.") : t("This resource was removed from the library.")}
        action={<ButtonLink to={urls.resources()}>{t("Whole library")}</ButtonLink>}
      >
        <p>
          <Time at={at} />
        </p>
        {reason && <p dir="auto">{t("Reason: {reason}", { reason })}</p>}
      </EmptyState>
    </div>
  );
}

/** Notice above a removed resource, for people who may restore it. */
export function RemovedResourceNotice({
  resource,
  can,
}: {
  resource: ShownResource;
  can: Pick<ResourcePageData["can"], "own" | "restore">;
}) {
  const t = useTranslate();
  if (!resource.removedAt) return null;
  return (
    <div className="notice mb-5 flex-wrap items-center" data-tone="bad">
      <div className="min-w-60 flex-1">
        <p>
          <Rich
            text="Removed <0></0>. Only the owner and moderators see it, for 30 days."
            parts={{ 0: <Time at={resource.removedAt} /> }}
          />
        </p>
        {resource.removedReason && (
          <p dir="auto">{t("Reason: {reason}", { reason: resource.removedReason })}</p>
        )}
      </div>
      {can.restore ? (
        <ActionForm intent="restore" fields={{}} busy={t("Restoring…")}>
          {t("Restore")}
        </ActionForm>
      ) : (
        can.own && <ButtonLink to={urls.appealResource(resource.id)}>{t("Appeal…")}</ButtonLink>
      )}
    </div>
  );
}
