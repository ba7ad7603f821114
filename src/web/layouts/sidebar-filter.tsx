import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import type { SidebarRow } from "#community/discussions";
import { useRootData } from "../ui/index.ts";
import { normalizeText } from "../ui/text/normalize-text.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";

/**
 * Filter of the sidebar's list: words of the title, and whether to list only discussions that the viewer
 * started.
 */
export type SidebarQuery = { words: string; mine: boolean };
export const NO_FILTER: SidebarQuery = { words: "", mine: false };

/** Returns the rows whose title contains all these words. */
export function filterRows(rows: SidebarRow[], { words, mine }: SidebarQuery): SidebarRow[] {
  const all = normalizeText(words).split(/\s+/);
  return rows.filter(
    (row) => (!mine || row.mine) && all.every((word) => normalizeText(row.title).includes(word)),
  );
}

type FilterProps = {
  group: { slug: string };
  wanted: SidebarQuery;
  onChange: (wanted: SidebarQuery) => void;
};

type SidebarFilterProps = {
  group: { slug: string };
  rows: SidebarRow[];
  linesOf: (rows: SidebarRow[]) => ReactNode;
};

/**
 * The filter, the matching rows (all rows without a filter), and a link to search the whole group, since the
 * sidebar lists only some of its discussions.
 */
export default function SidebarFilter({ group, rows, linesOf }: SidebarFilterProps) {
  const [wanted, setWanted] = useState(NO_FILTER);
  const shown = filterRows(rows, wanted);
  return (
    <>
      <FilterField group={group} wanted={wanted} onChange={setWanted} />
      {linesOf(shown)}
      <SearchLink group={group} wanted={wanted} none={shown.length === 0} />
    </>
  );
}

/** Filters the list while the viewer types; submitting searches the whole group. */
function FilterField({ group, wanted, onChange }: FilterProps) {
  const t = useTranslate();
  const { me } = useRootData();
  return (
    <Form
      action={urls.search()}
      role="search"
      aria-label={t("Filter discussions of this group")}
      className="clear-both mb-2 flex items-center gap-1 px-1"
    >
      <input type="hidden" name="type" value="discussions" />
      <input type="hidden" name="in" value={group.slug} />
      <input
        type="search"
        name="q"
        aria-label={t("Filter discussions of this group")}
        placeholder={t("Filter", undefined, "verb")}
        maxLength={200}
        dir="auto"
        value={wanted.words}
        onChange={({ currentTarget }) => onChange({ ...wanted, words: currentTarget.value })}
        className="input min-h-8 py-1 text-small"
      />
      {me && <OwnToggle wanted={wanted} onChange={onChange} />}
    </Form>
  );
}

function OwnToggle({ wanted, onChange }: Omit<FilterProps, "group">) {
  const t = useTranslate();
  return (
    <button
      type="button"
      aria-pressed={wanted.mine}
      onClick={() => onChange({ ...wanted, mine: !wanted.mine })}
      className="inline-flex min-h-8 items-center rounded-full px-2.5 text-small text-quiet hover:underline
        aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-ink"
    >
      {t("Mine")}
    </button>
  );
}

function SearchLink({
  group,
  wanted: { words, mine },
  none,
}: Omit<FilterProps, "onChange"> & { none: boolean }) {
  const t = useTranslate();
  const typed = words.trim();
  const all = { q: `${typed} in:${group.slug} type:discussions` };
  return (
    <>
      <p role="status" className="px-2.5 text-small text-quiet">
        {none && t("No matching discussions.")}
      </p>
      {mine && (
        <Link to={urls.group(group.slug, { filter: "mine" })} className="rail-link text-small">
          {t("Show all")}
        </Link>
      )}
      {typed !== "" && (
        <Link to={urls.search(all)} className="rail-link text-small">
          {t("Search the group")}
        </Link>
      )}
    </>
  );
}
