import type { GroupExportStatus } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { ExportDownload, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/**
 * Exports everything that an owner reads in a group as one file: requested here, made in the background,
 * downloaded here.
 */
export function ExportGroup({ exports: { latest, own, againAt } }: { exports: GroupExportStatus }) {
  const t = useTranslate();
  return (
    <div className="grid gap-3">
      <p className="max-w-measure text-quiet">
        {t(
          "Not in it: mail addresses and profiles, private messages, what waits to be looked at, requests, invitations and reports, this log, who voted for what, and what was deleted. Of those you block there are the places of their posts, without the words.",
        )}
      </p>
      <p className="max-w-measure text-quiet">
        {t(
          "It takes a few minutes; a mail says when it is there, and you alone can fetch it for seven days. The log says that you took the group along.",
        )}
      </p>
      {own && (
        <ExportDownload made={own} to={urls.exported(own.id)}>
          {t("Fetch the group")}
        </ExportDownload>
      )}
      <LatestExport latest={latest} />
      {latest?.state !== "making" && againAt && (
        <p>
          <Rich text="A group is put together once a day: the next time <0></0>" parts={[<Time at={againAt} />]} />
        </p>
      )}
      {latest?.state !== "making" && !againAt && (
        <div>
          <ActionForm intent="take-along" fields={{}} busy={t("Asking…")}>
            {t("Put the group together")}
          </ActionForm>
          {own && <p className="hint">{t("A new one takes the place of the one above.")}</p>}
        </div>
      )}
    </div>
  );
}

/** State of the latest export; another owner's can only be downloaded by them. */
function LatestExport({ latest }: Pick<GroupExportStatus, "latest">) {
  const t = useTranslate();
  if (latest === null || (latest.state === "ready" && latest.mine)) return null;
  const said = {
    making: latest.mine
      ? t("The group is being put together. You can leave this page.")
      : t("The group is being put together for another owner."),
    ready: t("It was put together for another owner, who alone can fetch it."),
    failed: t("The last time it came to nothing."),
    "too-large": t("There is more in it than the two gigabytes of such a file. Whoever runs this community can take it out whole."),
  };
  return <p role="status">{said[latest.state]}</p>;
}
