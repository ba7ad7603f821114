import { useEffect } from "react";
import { useLocation } from "react-router";
import { notificationRules } from "#community/rules";
import { useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps } from "../settings-data.ts";
import { AutosaveForm } from "../autosave-form.tsx";
import { useKindGroups } from "./notification-kind-groups.ts";
import { useNotificationKindLabels } from "./notification-kind-labels.ts";

type Row = SettingsSectionProps<"notifications">["data"]["notices"]["kinds"][number];
type Channel = "shown" | "mailed" | "pushed";

const isOn = (row: Row, channel: Channel) =>
  row[channel] || (channel === "mailed" && notificationRules.mailedAnyway(row.kind));

/** Kinds of notification in groups; each group is a table of checkboxes: shown, mailed, pushed. */
export function NotificationKindTable(part: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const groups = useKindGroups(part.data.notices.kinds);
  useOpenAnchor();
  return (
    <AutosaveForm {...part} intent="notify" save={t("Save notifications")}>
      <p className="hint" id="kinds-means">
        {t(
          "Emails wait a few minutes and are not sent if you have read the notification by then. Push " +
            "needs a device where you turned it on.",
        )}
      </p>
      <div className="border-t border-line">
        {groups.map(({ group, label, rows }, index) => (
          <details key={group} open={index === 0} className="group border-b border-line">
            <summary className="flex min-h-11 cursor-pointer items-center gap-3 py-2">
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
                <span className="font-semibold">{label}</span>
                <ChannelCounts rows={rows} />
              </span>
              <i className="icon icon-chevron-down size-4 text-quiet group-open:rotate-180" />
            </summary>
            <KindGroupTable label={label} rows={rows} />
          </details>
        ))}
      </div>
    </AutosaveForm>
  );
}

/** Summary of a collapsed group: how many kinds are chosen in each channel. */
function ChannelCounts({ rows }: { rows: Row[] }) {
  const t = useTranslate();
  const count = (channel: Channel) => rows.filter((row) => isOn(row, channel)).length;
  return (
    <span className="text-small text-quiet group-open:hidden">
      {t("{n} kinds: {shown} on the site, {mailed} by email, {pushed} by push", {
        n: rows.length,
        shown: count("shown"),
        mailed: count("mailed"),
        pushed: count("pushed"),
      })}
    </span>
  );
}

function KindGroupTable({ label, rows }: { label: string; rows: Row[] }) {
  const t = useTranslate();
  const words = useNotificationKindLabels();
  const columns: { channel: Channel; name: string }[] = [
    { channel: "shown", name: t("On the site") },
    { channel: "mailed", name: t("Email") },
    { channel: "pushed", name: t("Push") },
  ];
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse" aria-label={label} aria-describedby="kinds-means">
        <thead>
          <tr className="text-small text-quiet">
            <th scope="col" className="py-1.5 text-start font-semibold">
              <span className="sr-only">{t("Event")}</span>
            </th>
            {columns.map(({ channel, name }) => (
              <th key={channel} scope="col" className="w-16 px-1 py-1.5 text-center font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const open = notificationRules.open(row.kind);
            return (
              <tr
                key={row.kind}
                id={`notify-${row.kind}`}
                className="scroll-mt-20 border-t border-line target:bg-accent-soft"
              >
                <th scope="row" className="py-1 text-start font-normal">
                  {words[row.kind]}
                </th>
                {columns.map(({ channel, name }) => (
                  <td key={channel} className="p-0 text-center">
                    <label className="inline-flex size-[44px] items-center justify-center">
                      <input
                        type="checkbox"
                        name={`notify-${row.kind}.${channel}`}
                        defaultChecked={isOn(row, channel)}
                        disabled={!open[channel]}
                        aria-label={t("{what}: {way}", { what: words[row.kind], way: name })}
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
  );
}

/** Opens the group that the address's anchor is in: the router scrolls to it, but does not open it. */
function useOpenAnchor() {
  const { hash } = useLocation();
  useEffect(() => {
    const row = hash === "" ? null : document.getElementById(hash.slice(1));
    const fold = row?.closest("details");
    if (!row || !fold || fold.open) return;
    fold.open = true;
    row.scrollIntoView();
  }, [hash]);
}
