import { Form } from "react-router";
import { useTranslate } from "../../i18n/index.ts";

type ListSearchProps = {
  /** Accessible name of the field, and its placeholder. */
  label: string;
  hint: string;
  search: string | undefined;
  /** Query parameters that the search leaves unchanged, such as tab and filters. */
  hiddenFields?: Record<string, string | number | undefined>;
  className?: string;
};

/** The search field above a list. It requests the same page with a new search text. */
export function ListSearch({ label, hint, search, hiddenFields = {}, className = "" }: ListSearchProps) {
  const t = useTranslate();
  return (
    <Form role="search" aria-label={label} className={`flex gap-2 ${className}`}>
      {Object.entries(hiddenFields).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <input
        key={search}
        type="search"
        name="search"
        defaultValue={search}
        maxLength={200}
        aria-label={label}
        placeholder={hint}
        className="input"
      />
      <button type="submit" className="button">
        <i className="icon icon-search size-4" />
        {t("Search")}
      </button>
    </Form>
  );
}
