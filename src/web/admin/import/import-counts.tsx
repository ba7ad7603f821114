import type { ImportRun } from "#community/import-export";
import { keysOf } from "#platform/objects";
import { useFormatSize } from "../../resources/library/resource-kinds.tsx";
import { useTranslate } from "../../i18n/index.ts";
import { useRecordKindLabels, useFormatNumber } from "./import-labels.ts";

/** Imported records, or those a check would import, by kind. */
export function ImportCounts({ counts, isCheck }: { counts: ImportRun["counts"]; isCheck: boolean }) {
  const t = useTranslate();
  const kinds = useRecordKindLabels();
  const figure = useFormatNumber();
  const size = useFormatSize();
  const rows = keysOf(kinds).flatMap((kind) => (counts[kind] ? [{ kind, ...counts[kind] }] : []));
  if (rows.length === 0) return null;
  const cell = "py-1.5 ps-4 text-end tabular-nums";
  return (
    <table className="mt-6 w-full border-t border-line">
      <caption className="sr-only">{t("Content")}</caption>
      <thead className="text-small text-quiet">
        <tr className="border-b border-line">
          <th scope="col" className="py-1.5 text-start font-normal">
            {t("Type")}
          </th>
          <th scope="col" className={`${cell} font-normal`}>
            {isCheck ? t("New") : t("Imported")}
          </th>
          <th scope="col" className={`${cell} font-normal`}>
            {t("Existing")}
          </th>
          <th scope="col" className={`${cell} font-normal`}>
            {t("Skipped")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ kind, made = 0, known = 0, refused = 0, bytes = 0 }) => (
          <tr key={kind} className="border-b border-line">
            <th scope="row" className="py-1.5 text-start font-normal">
              {kinds[kind]}
              {bytes > 0 && <span className="text-quiet"> · {size(bytes)}</span>}
              {kind === "user" && made > 0 && (
                <span className="block text-small text-quiet">
                  {t(
                    "Imported people cannot sign in. By confirming their email address, they take over their content.",
                  )}
                </span>
              )}
            </th>
            <td className={cell}>{figure(made)}</td>
            <td className={cell}>{figure(known)}</td>
            <td className={`${cell} ${refused > 0 ? "text-red" : ""}`}>{figure(refused)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
