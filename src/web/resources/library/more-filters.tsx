import { Form } from "react-router";
import type { ResourceFacet, ResourceFacets } from "#community/resources";
import { CheckField, Menu, SelectField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { languageName, useLocale, useTranslate } from "../../i18n/index.ts";
import { ListFilter } from "../../ui/navigation/list-filter.tsx";
import { numberFormat } from "../../ui/text/intl-formats.ts";
import type { LibraryFilters } from "./library-query.ts";

type Props = { looking: LibraryFilters; facets: ResourceFacets };

/**
 * Filters that are used less often: language, year, owner, dead links. They are form fields, since links
 * would make every page longer.
 */
export function MoreFilters({ looking, facets }: Props) {
  const t = useTranslate();
  const { language, owner, year, dead, ...kept } = looking;
  const languages = useLanguageNames(facets.languages);
  const count = numberFormat(useLocale());
  const asks = [facets.languages, facets.years, facets.owners].some((it) => it.length > 1) || facets.dead > 0;
  return (
    <>
      <ActiveFilters looking={looking} facets={facets} />
      {asks && (
        <Menu
          label={t("More filters")}
          className="menu-start"
          summary={
            <>
              {t("More")}
              <i className="icon icon-chevron-down size-3.5" />
            </>
          }
        >
          {/* The key resets the selects when the filters change. */}
          <Form key={JSON.stringify(looking)} className="grid gap-3 p-2">
            {Object.entries(kept).map(
              ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
            )}
            <FilterSelect name="language" label={t("Language")} chosen={language} choices={languages} />
            <FilterSelect name="year" label={t("Year")} chosen={year?.toString()} choices={facets.years} />
            <FilterSelect name="owner" label={t("Added by")} chosen={owner} choices={facets.owners} />
            {facets.dead > 0 && (
              <CheckField
                name="dead"
                value="yes"
                defaultChecked={dead !== undefined}
                label={t("Broken links ({count})", { count: count.format(facets.dead) })}
              />
            )}
            <button type="submit" className="button">
              {t("Show")}
            </button>
          </Form>
        </Menu>
      )}
    </>
  );
}

/** The filters of this form that are active, each with a link to remove it. */
function ActiveFilters({ looking, facets }: Props) {
  const t = useTranslate();
  const locale = useLocale();
  const { language, owner, year, dead } = looking;
  const ownerName = facets.owners.find((it) => it.value === owner)?.label ?? t("one person");
  const chosen = [
    { name: "language", label: t("Language"), value: language && languageName(locale, language) },
    { name: "year", label: t("Year"), value: year?.toString() },
    { name: "owner", label: t("Added by"), value: owner && ownerName },
    { name: "dead", label: t("Links"), value: dead && t("broken links") },
  ];
  return chosen.map(
    ({ name, label, value }) =>
      value && (
        <ListFilter
          key={name}
          label={label}
          chosen={value}
          choices={[]}
          to={() => urls.resources({ ...looking, [name]: undefined })}
        />
      ),
  );
}

type SelectProps = { name: string; label: string; chosen: string | undefined; choices: ResourceFacet[] };

function FilterSelect({ name, label, chosen, choices }: SelectProps) {
  const t = useTranslate();
  const count = numberFormat(useLocale());
  if (choices.length < 2 && chosen === undefined) return null;
  const isListed = chosen === undefined || choices.some(({ value }) => value === chosen);
  return (
    <SelectField name={name} label={label} defaultValue={chosen}>
      <option value="">{t("Any")}</option>
      {!isListed && <option value={chosen}>{t("Selected")}</option>}
      {choices.map((resourceFacet) => (
        <option key={resourceFacet.value} value={resourceFacet.value}>
          {`${resourceFacet.label} (${count.format(resourceFacet.count)})`}
        </option>
      ))}
    </SelectField>
  );
}

function useLanguageNames(languages: ResourceFacet[]): ResourceFacet[] {
  const locale = useLocale();
  return languages.map((it) => ({ ...it, label: languageName(locale, it.value) }));
}
