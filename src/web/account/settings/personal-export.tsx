import { ExportDownload } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "../account-settings-page.tsx";
import { SettingsForm } from "./settings-form.tsx";

/** Personal export as one file: requested here, built in the background, downloaded here. */
export function PersonalExportSettings(part: SettingsSectionProps) {
  const t = useTranslate();
  const { ownExport } = part.data;
  return (
    <>
      <p>
        {t(
          "What you said of yourself, wrote, sent, chose and uploaded, as a zip of plain files. What others wrote is not in it. It takes a few minutes; a mail says when it is there.",
        )}
      </p>
      {ownExport?.readyAt && (
        <ExportDownload made={ownExport} to={urls.exported(ownExport.id)}>
          {t("Fetch your data")}
        </ExportDownload>
      )}
      {ownExport && !ownExport.readyAt ? (
        <p role="status" className="text-quiet">
          {t("Your data is being put together. You can leave this page.")}
        </p>
      ) : (
        <SettingsForm {...part} intent="export" kind="plain" save={t("Put my data together")} busy={t("Asking…")} saved={t("Asked for.")}>
          {ownExport?.readyAt ? <p className="hint">{t("A new one takes the place of the one above.")}</p> : null}
        </SettingsForm>
      )}
    </>
  );
}
