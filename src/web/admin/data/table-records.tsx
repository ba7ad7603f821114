import { Form, Link } from "react-router";
import { ButtonLink, EmptyState } from "../../ui/index.ts";
import { PageLinks } from "../../ui/navigation/page-links.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { TableData } from "./table-page.tsx";

/** Records of a data table, newest first, or those matching a where clause. */
export function TableRecords({ data }: { data: TableData }) {
  const t = useTranslate();
  const { table, records, before, after, where, fault } = data;
  const at = { where: where || undefined };
  return (
    <section aria-labelledby="records" className="border-t border-line py-6">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="records" className="font-serif text-large font-semibold">
          {t("Records")}
        </h2>
        <ButtonLink to={urls.record(table.name)}>{t("Add record")}</ButtonLink>
      </div>
      <WhereForm data={data} />
      {records.length > 0 && <RecordTable data={data} />}
      {records.length === 0 && fault === null && (
        <EmptyState title={where ? t("No records found.") : t("This table is empty.")} />
      )}
      {(before !== null || after !== null) && (
        <PageLinks
          previous={before === null ? null : urls.table(table.name, { ...at, from: before })}
          next={after === null ? null : urls.table(table.name, { ...at, from: after })}
        />
      )}
    </section>
  );
}

/** Form with a where clause, as in the API, and the clause's error. */
function WhereForm({ data: { where, fault } }: { data: TableData }) {
  const t = useTranslate();
  return (
    <Form role="search" aria-label={t("Find records")} className="mb-4 grid gap-1">
      <label htmlFor="where">{t("Find records by a condition")}</label>
      <div className="flex gap-2">
        <input
          key={where}
          id="where"
          name="where"
          type="search"
          defaultValue={where}
          maxLength={2_000}
          dir="ltr"
          placeholder="name like 'A%' and created > '01/31/2026'"
          aria-invalid={fault !== null || undefined}
          aria-describedby={fault === null ? undefined : "where-fault"}
          className="input"
        />
        <button type="submit" className="button">
          {t("Find")}
        </button>
      </div>
      {fault !== null && (
        <p id="where-fault" className="fault" role="alert">
          {fault}
        </p>
      )}
    </Form>
  );
}

/** The table scrolls separately, since it can be wider than the page. */
function RecordTable({ data: { table, records } }: { data: TableData }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolls by keyboard
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-labelledby="records">
      <table className="min-w-full border-collapse text-small">
        <thead>
          <tr>
            {table.columns.map(({ name }) => (
              <th
                key={name}
                scope="col"
                className="border-b border-line p-2 text-start font-semibold whitespace-nowrap"
                dir="ltr"
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map(({ id, cells }) => (
            <tr key={id}>
              {cells.map((value, i) => (
                <td
                  key={table.columns[i]!.name}
                  className="max-w-72 border-b border-line p-2 align-top"
                  dir="auto"
                >
                  {table.columns[i]!.name === "objectId" ? (
                    <Link to={urls.record(table.name, { id })}>{value}</Link>
                  ) : (
                    value
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
