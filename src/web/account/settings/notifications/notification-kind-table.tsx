import { notificationRules } from "#community/rules";
import { useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps } from "../../account-settings-page.tsx";
import { useNotificationKindLabels } from "./notification-kind-labels.ts";
import { SettingsForm } from "../settings-form.tsx";

/** Table of checkboxes: shown, mailed, pushed. */
export function NotificationKindTable(part: SettingsSectionProps) {
  const t = useTranslate();
  const words = useNotificationKindLabels();
  const columns = [
    { way: "shown", label: t("On the site") },
    { way: "mailed", label: t("Email") },
    { way: "pushed", label: t("Push") },
  ] as const;
  return (
    <SettingsForm {...part} intent="notify" save={t("Save notifications")}>
      {/* Beside the table, which scrolls with large text; this must be readable without scrolling. */}
      <p className="hint" id="kinds-means">
        {t(
          "Emails wait a few minutes and are not sent if you have read the notification by then. Push " +
            "needs a device where you turned it on.",
        )}
      </p>
      <div className="overflow-x-auto">
        <table className="w-full border-collapse" aria-labelledby="kinds-means">
          <thead>
            <tr className="border-b border-line text-small text-quiet">
              <th scope="col" className="py-1.5 text-start font-semibold">
                <span className="sr-only">{t("Event")}</span>
              </th>
              {columns.map(({ way, label }) => (
                <th key={way} scope="col" className="w-16 px-1 py-1.5 text-center font-semibold">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {part.data.notices.kinds.map((row) => {
              const open = notificationRules.open(row.kind);
              return (
                <tr
                  key={row.kind}
                  id={`notify-${row.kind}`}
                  className="scroll-mt-20 border-b border-line target:bg-accent-soft"
                >
                  <th scope="row" className="py-1 text-start font-normal">
                    {words[row.kind]}
                  </th>
                  {columns.map(({ way, label }) => (
                    <td key={way} className="p-0 text-center">
                      <label className="inline-flex size-[44px] items-center justify-center">
                        <input
                          type="checkbox"
                          name={`notify-${row.kind}.${way}`}
                          defaultChecked={
                            row[way] || (way === "mailed" && notificationRules.mailedAnyway(row.kind))
                          }
                          disabled={!open[way]}
                          aria-label={t("{what}: {way}", { what: words[row.kind], way: label })}
                          className="size-5 accent-accent"
                        />
                      </label>
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </SettingsForm>
  );
}
