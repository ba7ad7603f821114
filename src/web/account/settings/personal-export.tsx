import { ExportDownload } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { SettingsSectionProps } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";

/** Personal export as one file: requested here, built in the background, downloaded here. */
export function PersonalExportSettings(part: SettingsSectionProps<"data">) {
  const t = useTranslate();
  const { ownExport } = part.data;
  return (
    <>
      <p>
        {t(
          "A zip of your profile, texts, choices and uploads, without what others wrote. It takes a " +
            "few minutes; we email you when it is ready.",
        )}
      </p>
      {ownExport?.readyAt && (
        <ExportDownload made={ownExport} to={urls.exported(ownExport.id)}>
          {t("Download your data")}
        </ExportDownload>
      )}
      {ownExport && !ownExport.readyAt ? (
        <p role="status" className="text-quiet">
          {t("Your export is being prepared. You can leave this page.")}
        </p>
      ) : (
        <SettingsForm
          {...part}
          intent="export"
          kind="plain"
          save={t("Export my data")}
          busy={t("Requesting…")}
          saved={t("Export requested.")}
        >
          {ownExport?.readyAt ? <p className="hint">{t("A new export replaces the one above.")}</p> : null}
        </SettingsForm>
      )}
    </>
  );
}
