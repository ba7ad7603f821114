import { Search } from "lucide-react";
import { Form } from "react-router";
import { useWords } from "../words/index.ts";

type Props = {
  /** What is searched, for whoever hears it; and what one may type. */
  label: string;
  hint: string;
  search: string | undefined;
  /** What else the address says, and goes on saying: the tab, the filters. */
  keeping?: Record<string, string | number | undefined>;
  className?: string;
};

/** The search above a list: it asks for the same page with other words. */
export function SearchIn({ label, hint, search, keeping = {}, className = "" }: Props) {
  const t = useWords();
  return (
    <Form role="search" aria-label={label} className={`flex gap-2 ${className}`}>
      {Object.entries(keeping).map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />)}
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
        <Search size={16} strokeWidth={1.75} aria-hidden />
        {t("Search")}
      </button>
    </Form>
  );
}
