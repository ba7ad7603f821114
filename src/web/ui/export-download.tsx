import { Rich, useLocale } from "../i18n/index.ts";
import { Time } from "./text/time.tsx";

type FinishedExport = { readyAt: Date | null; expiresAt: Date; size: number | null };

/** Download link of a finished export (zip), with its size and expiry date. */
export function ExportDownload({
  made,
  to,
  children,
}: {
  made: FinishedExport;
  to: string;
  children: string;
}) {
  const size = new Intl.NumberFormat(useLocale(), { maximumFractionDigits: 1 }).format(
    Math.max(0.1, (made.size ?? 0) / 1_000_000),
  );
  return (
    <p>
      <a href={to} download>
        {children}
      </a>{" "}
      <span className="text-quiet">
        <Rich
          text="{size} MB, created <0></0>. Will be deleted <1></1>"
          values={{ size }}
          parts={{ 0: <Time at={made.readyAt!} />, 1: <Time at={made.expiresAt} /> }}
        />
      </span>
    </p>
  );
}
