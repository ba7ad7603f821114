import { Form } from "react-router";
import type { ProfileFieldDefinition } from "#community/accounts";
import { LIMITS } from "#community/rules";
import { ButtonLink } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

export type DirectoryQuery = {
  search: string;
  group: string;
  location: string;
  answers: Record<string, string>;
};
type Props = {
  filters: DirectoryQuery;
  groups: { id: string; name: string }[];
  fields: Pick<ProfileFieldDefinition, "id" | "label" | "kind" | "choices">[];
};

/** Filters of the directory besides the name, as a GET form to the same page. */
export function DirectoryFilters({ filters, groups, fields }: Props) {
  const t = useTranslate();
  const narrowed = Boolean(filters.group || filters.location || Object.keys(filters.answers).length);
  const input = (
    name: string,
    label: string,
    value: string,
    choices?: { value: string; label: string }[],
  ) => (
    <label key={name} className="grid gap-1">
      <span dir="auto">{label}</span>
      {choices ? (
        <select name={name} defaultValue={value} className="input">
          <option value="">{t("Any")}</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          name={name}
          defaultValue={value}
          maxLength={LIMITS.profileFields.line}
          dir="auto"
          className="input"
        />
      )}
    </label>
  );
  return (
    <details className="mb-4" open={narrowed}>
      <summary className="cursor-pointer text-quiet">{t("Filters")}</summary>
      <Form
        key={JSON.stringify(filters)}
        className="mt-3 grid gap-3 phone:grid-cols-2"
        aria-label={t("Filters")}
      >
        {filters.search && <input type="hidden" name="search" value={filters.search} />}
        {groups.length > 0 &&
          input(
            "group",
            t("In one of your groups"),
            filters.group,
            groups.map(({ id, name }) => ({ value: id, label: name })),
          )}
        {input("location", t("Location"), filters.location)}
        {fields.map(({ id, label, kind, choices }) =>
          input(
            `says-${id}`,
            label,
            filters.answers[id] ?? "",
            kind === "line" ? undefined : choices.map((it) => ({ value: it, label: it })),
          ),
        )}
        <div className="flex flex-wrap items-center gap-3 phone:col-span-2">
          <button type="submit" className="button" data-kind="primary">
            {t("Apply")}
          </button>
          {narrowed && (
            <ButtonLink to={urls.people({ search: filters.search })}>{t("Show all members")}</ButtonLink>
          )}
        </div>
        <p className="hint phone:col-span-2">{t("The search covers only what people show you.")}</p>
      </Form>
    </details>
  );
}
