import type { GroupExportStatus } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { ExportDownload, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/**
 * Exports everything that an owner can read in a group as one file: requested here, created in the
 * background, downloaded here.
 */
export function ExportGroup({ exports: { latest, own, againAt } }: { exports: GroupExportStatus }) {
  const t = useTranslate();
  return (
    <div className="grid gap-3">
      <p className="max-w-measure text-quiet">
        {t(
          "Not included: email addresses and profiles, private messages, pending posts, requests, " +
            "invitations and reports, the log, votes, and deleted content. " +
            "Posts of people you block are included without text.",
        )}
      </p>
      <p className="max-w-measure text-quiet">
        {t(
          "The export takes a few minutes; we email you when it is ready. Only you can download it, " +
            "for 7 days. The export is logged.",
        )}
      </p>
      {own && (
        <ExportDownload made={own} to={urls.exported(own.id)}>
          {t("Download export")}
        </ExportDownload>
      )}
      <LatestExport latest={latest} />
      {latest?.state !== "making" && againAt && (
        <p>
          <Rich
            text="A group can be exported once a day: next <0></0>"
            parts={{ 0: <Time at={againAt} /> }}
          />
        </p>
      )}
      {latest?.state !== "making" && !againAt && (
        <div>
          <ActionForm intent="export" fields={{}} busy={t("Requesting…")}>
            {t("Start export")}
          </ActionForm>
          {own && <p className="hint">{t("A new export replaces the one above.")}</p>}
        </div>
      )}
    </div>
  );
}

/** State of the latest export. Only the owner who requested it can download it. */
function LatestExport({ latest }: Pick<GroupExportStatus, "latest">) {
  const t = useTranslate();
  if (latest === null || (latest.state === "ready" && latest.mine)) return null;
  const labels = {
    making: latest.mine
      ? t("The export is in progress. You can leave this page.")
      : t("An export for another owner is in progress."),
    ready: t("The export was made for another owner. Only they can download it."),
    failed: t("The last export failed."),
    "too-large": t("The group is larger than the 2 GB limit. An administrator can export it."),
  };
  return <p role="status">{labels[latest.state]}</p>;
}
