import { Tag, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { LogsPage } from "./logs-data.ts";

type LogRecord = LogsPage["lines"][number];
const ERROR_LEVELS: readonly string[] = ["ERROR", "FATAL"];

/** A log record: level, logger, time and message; its stack trace is collapsed below. */
export function LogEntry({ line, filters }: { line: LogRecord; filters: LogsPage["filters"] }) {
  const t = useTranslate();
  const kinds = {
    logging: null,
    console: t("server"),
    developer: t("extension"),
    automation: t("automation"),
  };
  const kind = kinds[line.kind];
  return (
    <li className="grid gap-1 border-b border-line py-2">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-small text-quiet">
        <span
          className={`font-mono font-semibold ${ERROR_LEVELS.includes(line.level) ? "text-red" : "text-ink"}`}
          dir="ltr"
        >
          {line.level}
        </span>
        <Link to={urls.logs({ ...filters, logger: line.logger })} className="min-w-0 break-all" dir="auto">
          {line.logger}
        </Link>
        {kind && <Tag>{kind}</Tag>}
        <Time at={line.saidAt} />
        {line.page && (
          <span className="min-w-0 font-mono break-all" dir="ltr">
            {line.page}
          </span>
        )}
      </p>
      <p className="min-w-0 font-mono text-small break-words whitespace-pre-wrap" dir="auto">
        {line.message}
      </p>
      {(line.exception || line.build) && (
        <details className="text-small">
          <summary className="w-fit cursor-pointer text-quiet">{t("Stack")}</summary>
          {line.build && <p className="mt-1 text-quiet">{t("Build {build}", { build: line.build })}</p>}
          {line.exception && (
            <p className="mt-1 min-w-0 font-mono break-words whitespace-pre-wrap" dir="ltr">
              {line.exception}
            </p>
          )}
        </details>
      )}
    </li>
  );
}
