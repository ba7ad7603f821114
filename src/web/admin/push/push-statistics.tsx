import type { DeviceCounts } from "#baas/devices";
import { EmptyState, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

type Counts = { counts: DeviceCounts; providers: { apns: boolean; fcm: boolean }; pushKey: string };

/** Number of devices, configured push providers, and refused pushes. */
export function PushStatistics({ counts: { byOs, byChannel, refusals }, providers, pushKey }: Counts) {
  const t = useTranslate();
  return (
    <>
      <section aria-labelledby="providers" className="border-t border-line py-6">
        <h2 id="providers" className="mb-3 font-serif text-large font-semibold">
          {t("Push providers")}
        </h2>
        <dl className="grid gap-3">
          <PushProviderStatus
            name="Apple (APNs)"
            open={providers.apns}
            variables="APNS_KEY, APNS_KEY_ID, APNS_TEAM_ID, APNS_TOPIC"
          />
          <PushProviderStatus name="Android (FCM)" open={providers.fcm} variables="FCM_CREDENTIALS" />
          <div>
            <dt className="font-semibold">{t("Browsers")}</dt>
            <dd className="text-small text-quiet">
              {t("Always available. Web pages subscribe with this key:")}
            </dd>
            <dd dir="ltr" className="font-mono text-small break-all">
              {pushKey}
            </dd>
          </div>
        </dl>
        {refusals.length > 0 && (
          <>
            <h3 className="mt-5 mb-2 font-semibold">{t("Rejected in the last week")}</h3>
            <ul>
              {refusals.map(({ way, reason, devices, last }) => (
                <li key={way + reason} className="border-b border-line py-2 text-small">
                  <bdi dir="ltr" className="font-mono">
                    {way}: {reason}
                  </bdi>{" "}
                  · <DeviceCount count={devices} /> ·{" "}
                  <Rich text="last <0></0>" parts={{ 0: <Time at={last} /> }} />
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      <section aria-labelledby="devices" className="border-t border-line py-6">
        <h2 id="devices" className="mb-3 font-serif text-large font-semibold">
          {t("Devices")}
        </h2>
        {byOs.length === 0 && <EmptyState title={t("No devices registered yet.")} />}
        <div className="grid gap-6 phone:grid-cols-2">
          <CountTable title={t("By platform")} rows={byOs.map(({ os, devices }) => [os, devices])} />
          <CountTable
            title={t("By channel")}
            rows={byChannel.map(({ channel, devices }) => [channel, devices])}
          />
        </div>
      </section>
    </>
  );
}

function PushProviderStatus({ name, open, variables }: { name: string; open: boolean; variables: string }) {
  const t = useTranslate();
  return (
    <div>
      <dt className="font-semibold">
        <bdi>{name}</bdi>
      </dt>
      <dd className="text-small text-quiet">
        {open ? (
          t("Configured.")
        ) : (
          <Rich
            text="Not configured. Set <0></0> on the server."
            parts={{ 0: <code dir="ltr">{variables}</code> }}
          />
        )}
      </dd>
    </div>
  );
}

function DeviceCount({ count }: { count: number }) {
  const t = useTranslate();
  return <>{t("{count, plural, one {# device} other {# devices}}", { count })}</>;
}

function CountTable({ title, rows }: { title: string; rows: [string, number][] }) {
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <ul>
        {rows.map(([name, count]) => (
          <li key={name} className="flex justify-between gap-4 border-b border-line py-2">
            <bdi className="min-w-0 break-words">{name}</bdi>
            <span className="shrink-0 text-small text-quiet">
              <DeviceCount count={count} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
