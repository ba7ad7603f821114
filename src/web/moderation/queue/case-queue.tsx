import { Form } from "react-router";
import type { CaseRow, ReportCategory } from "#community/moderation";
import { Button, ChoiceLink, EmptyState, SelectField, SubmitButton, Tag } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { useCaseSortLabels } from "./case-risk.tsx";
import { useCaseKindLabels } from "../cases/case-labels.ts";
import { useCategoryLabel } from "../reports/category-labels.ts";
import type { QueueParams } from "./queue-params.ts";
import { reportedTitle, ReportRowContent, useReportTitle } from "../reports/report-list.tsx";

type QueueProps = {
  params: QueueParams;
  rows: CaseRow[];
  groups: { id: string; name: string }[];
  categories: ReportCategory[];
};

/** Cases with filters; content of several can be removed as spam at once. */
export function CaseQueue({ params, rows, groups, categories }: QueueProps) {
  const t = useTranslate();
  const open = params.tab === "open";
  return (
    <>
      <QueueFilters params={params} groups={groups} categories={categories} />
      {rows.length === 0 && (
        <div className="mt-5">
          <EmptyState title={open ? t("Nothing to do.") : t("No entries yet.")} />
        </div>
      )}
      <ul>
        {rows.map((row) => (
          <CaseItem key={row.caseId} row={row} />
        ))}
      </ul>
      {rows.some(({ canRemove }) => canRemove) && (
        <Form method="post" id="spam" className="mt-4 flex flex-wrap items-center gap-3">
          <input type="hidden" name="intent" value="spam" />
          <input type="hidden" name="reason" value={t("Spam")} />
          <SubmitButton kind="danger" busy={t("Saving…")}>
            {t("Remove selected as spam")}
          </SubmitButton>
          <span className="text-small text-quiet">{t("Authors read “Spam” as the reason.")}</span>
        </Form>
      )}
    </>
  );
}

function QueueFilters({ params, groups, categories }: Omit<QueueProps, "rows">) {
  const t = useTranslate();
  const kinds = useCaseKindLabels();
  const categoryLabel = useCategoryLabel();
  const { tab, assigned } = params;
  const sorts = useCaseSortLabels();
  return (
    <>
      {tab === "open" && (
        <nav aria-label={t("Assignment")} className="mt-4 mb-2 flex flex-wrap items-center gap-2 text-small">
          {(
            [
              [undefined, t("All")],
              ["me", t("Mine", undefined, "cases")],
              ["nobody", t("Not assigned")],
            ] as const
          ).map(([value, label]) => (
            <ChoiceLink
              key={label}
              to={urls.moderation({ ...toQueryParams(params), assigned: value })}
              current={assigned === value}
            >
              {label}
            </ChoiceLink>
          ))}
        </nav>
      )}
      <Form method="get" className="mt-3 mb-3 flex flex-wrap items-end gap-3">
        {tab === "resolved" && <input type="hidden" name="tab" value={tab} />}
        {assigned && <input type="hidden" name="assigned" value={assigned} />}
        <SelectField name="kind" label={t("Kind")} defaultValue={params.kind ?? ""}>
          <option value="">{t("All")}</option>
          {Object.entries(kinds).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField name="category" label={t("Category")} defaultValue={params.category ?? ""}>
          <option value="">{t("All")}</option>
          {categories.map((it) => (
            <option key={it.id} value={it.id}>
              {categoryLabel(it)}
            </option>
          ))}
        </SelectField>
        {groups.length > 0 && (
          <SelectField name="group" label={t("Group")} defaultValue={params.group ?? ""}>
            <option value="">{t("All")}</option>
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <SelectField name="age" label={t("Age")} defaultValue={params.age ?? ""}>
          <option value="">{t("All")}</option>
          {["1", "3", "7"].map((days) => (
            <option key={days} value={days}>
              {t("{count, plural, one {At least # day} other {At least # days}}", { count: Number(days) })}
            </option>
          ))}
        </SelectField>
        {tab === "open" && (
          <SelectField name="sort" label={t("Sort by")} defaultValue={params.sort}>
            {Object.entries(sorts).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
        <Button type="submit">{t("Apply")}</Button>
      </Form>
    </>
  );
}

/** Query parameters of the queue's address, without those that have their default value. */
export const toQueryParams = ({ tab, sort, ...rest }: QueueParams) => ({
  ...rest,
  ...(tab === "resolved" && { tab }),
  ...(sort !== "risk" && { sort }),
});

function CaseItem({ row }: { row: CaseRow }) {
  const t = useTranslate();
  // Screen readers list the buttons of all cases, so that each names its case.
  const title = useReportTitle()(row);
  const name = { case: row.place?.postId ? `${title} · ${reportedTitle(row.place)}` : title };
  return (
    <li className="flex items-start gap-3 border-b border-line py-3 last:border-b-0" data-item>
      {row.canRemove && (
        <label className="check -m-1 p-1">
          <input type="checkbox" form="spam" name="caseIds[]" value={row.caseId} data-key="x" />
          <span className="sr-only">{t("Select: {case}", name)}</span>
        </label>
      )}
      <div className="min-w-0 flex-1">
        <ReportRowContent row={row} risk={row.resolvedAt === null ? row.risk : undefined} />
        {(row.assignee || row.state === "resolved" || row.state === "rejected") && (
          <p className="mt-1 flex flex-wrap gap-2 text-small">
            {row.assignee && row.resolvedAt === null && (
              <Tag>{t("Assigned to {name}", { name: row.assignee.name })}</Tag>
            )}
            {row.resolvedAt !== null && <Tag>{row.outcome === "upheld" ? t("Upheld") : t("Dismissed")}</Tag>}
          </p>
        )}
      </div>
      {row.resolvedAt === null && row.assignee === null && (
        <Form method="post">
          <input type="hidden" name="intent" value="claim" />
          <input type="hidden" name="caseId" value={row.caseId} />
          <Button type="submit" data-key="c" aria-label={t("Claim: {case}", name)}>
            {t("Claim")}
          </Button>
        </Form>
      )}
    </li>
  );
}
