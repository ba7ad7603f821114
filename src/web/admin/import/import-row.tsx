import { Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ImportRunView } from "./import-run-view.ts";
import { FORMAT_NAMES, useImportStateLabels } from "./import-labels.ts";
import { Link } from "../../ui/navigation/link.tsx";

/** A row for one import run. */
export function ImportRow({ run }: { run: ImportRunView }) {
  const t = useTranslate();
  const { words, tone } = useImportStateLabels()(run.state);
  const came = Object.values(run.counts).reduce((all, { made = 0 }) => all + made, 0);
  return (
    <li className="border-b border-line">
      <Link
        to={urls.importRun(run.id)}
        className="flex flex-wrap items-baseline gap-x-4 px-2 py-2.5 text-ink no-underline hover:bg-sunken"
      >
        <span className="min-w-0 flex-1 font-semibold break-all">
          <bdi>{run.fileName}</bdi>
        </span>
        <span className={tone === "bad" ? "text-red" : tone === "pending" ? "text-amber" : "text-quiet"}>
          {words}
        </span>
        <span className="basis-full text-small text-quiet">
          {FORMAT_NAMES[run.format] ?? run.format} · <Time at={run.createdAt} /> ·{" "}
          {t("{count, plural, one {# record} other {# records}}", { count: came })} ·{" "}
          {t("{count, plural, one {# remark} other {# remarks}}", { count: run.problems })}
        </span>
      </Link>
    </li>
  );
}
