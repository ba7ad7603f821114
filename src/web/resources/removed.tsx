import type { Tombstone } from "#community/resources";
import { Act } from "../people/act.tsx";
import { ButtonLink, Empty, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useWords } from "../words/index.ts";
import type { ResourcePageData, ShownResource } from "./resource-data.ts";

/** Shown instead of a removed resource. */
export function Gone({ at, byKeeper, reason }: Tombstone) {
  const t = useWords();
  return (
    <div className="mx-auto max-w-xl py-8">
      <h1 className="sr-only">{t("No longer here")}</h1>
      <Empty
        title={byKeeper ? t("Who kept this has taken it away.") : t("This was taken out of the library.")}
        action={<ButtonLink to={urls.resources()}>{t("The whole library")}</ButtonLink>}
      >
        <p>
          <Time at={at} />
        </p>
        {reason && <p dir="auto">{t("Reason: {reason}", { reason })}</p>}
      </Empty>
    </div>
  );
}

/** Above a removed resource, visible only to people who may restore it. */
export function RemovedNotice({ resource, may }: { resource: ShownResource; may: Pick<ResourcePageData["may"], "own" | "restore"> }) {
  const t = useWords();
  if (!resource.removedAt) return null;
  return (
    <div className="notice mb-5 flex-wrap items-center" data-tone="bad">
      <div className="min-w-60 flex-1">
        <p>
          <Rich
            text="Taken away <0></0>. Only its keeper and those who look after its place see it, for 30 days."
            parts={[<Time at={resource.removedAt} />]}
          />
        </p>
        {resource.removedReason && <p dir="auto">{t("Reason: {reason}", { reason: resource.removedReason })}</p>}
      </div>
      {may.restore ? (
        <Act intent="restore" fields={{}} busy={t("Bringing it back…")}>
          {t("Bring it back")}
        </Act>
      ) : (
        may.own && <ButtonLink to={urls.appealResource(resource.id)}>{t("Ask that it comes back…")}</ButtonLink>
      )}
    </div>
  );
}
