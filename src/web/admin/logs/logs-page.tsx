import { useState } from "react";
import { Button, ButtonLink, EmptyState, NextPageLink, PageHeader, pageMeta } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/logs-page";
import { LogFilter } from "./log-filter.tsx";
import { LogEntry } from "./log-entry.tsx";
import { getLogsPage } from "./logs-data.ts";
import { useLiveLogs } from "./use-live-logs.ts";

export const loader = defineLoader(({ app, viewer, url }) => getLogsPage(app, viewer, url));

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Logs"),
  hidden: true,
}));

/** Log records of apps, browsers and this server, newest first. */
export default function LogsPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const [wanted, setWanted] = useState(true);
  const { page, follows } = useLiveLogs(loaderData, wanted);
  const { lines, next, filters } = page;
  const narrowed = Object.values(filters).some((it) => it !== "");
  return (
    <>
      <PageHeader
        title={t("Logs")}
        lead={t(
          "Log entries of API clients and browsers, latest first. Passwords, tokens and addresses are removed.",
        )}
        actions={<ButtonLink to={urls.siteSettings({}, "logLevel")}>{t("Log level")}</ButtonLink>}
      />
      <LogFilter loggers={page.loggers} filters={filters} />
      <LiveToggle follows={follows} paused={!wanted} onToggle={() => setWanted(!wanted)} />
      {lines.length === 0 && (
        <EmptyState
          title={narrowed ? t("No matching entries.") : t("No entries yet.")}
          action={narrowed && <ButtonLink to={urls.logs()}>{t("Show all")}</ButtonLink>}
        >
          {!narrowed && t("Logs of API clients, and errors of pages.")}
        </EmptyState>
      )}
      <ul className="border-t border-line empty:hidden">
        {lines.map((line) => (
          <LogEntry key={line.at} line={line} filters={filters} />
        ))}
      </ul>
      <NextPageLink to={next && urls.logs({ ...filters, after: next })} />
    </>
  );
}

/** Shows whether new records appear automatically, with a button to pause that. */
function LiveToggle({
  follows,
  paused,
  onToggle,
}: {
  follows: boolean;
  paused: boolean;
  onToggle: () => void;
}) {
  const t = useTranslate();
  if (!follows && !paused) return null;
  return (
    <p
      className="mb-3 flex flex-wrap items-center gap-3 text-small text-quiet"
      data-listening={follows || undefined}
    >
      <span role="status">{follows ? t("New entries appear automatically.") : t("The log is paused.")}</span>
      <Button kind="quiet" onClick={onToggle}>
        {follows ? t("Pause") : t("Continue")}
      </Button>
    </p>
  );
}
