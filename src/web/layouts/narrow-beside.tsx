import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import type { SidebarRow } from "#community/discussions";
import { useRoot } from "../ui/index.ts";
import { folded } from "../ui/folded.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { Link } from "../ui/link.tsx";

/** Filter of the sidebar's list: words of titles, and whether only discussions that the viewer started. */
export type Wanted = { words: string; mine: boolean };
export const EVERYTHING: Wanted = { words: "", mine: false };

/** Rows whose title contains all these words. */
export function narrowed(rows: SidebarRow[], { words, mine }: Wanted): SidebarRow[] {
  const all = folded(words).split(/\s+/);
  return rows.filter((row) => (!mine || row.mine) && all.every((word) => folded(row.title).includes(word)));
}

type Props = { group: { slug: string }; wanted: Wanted; onChange: (wanted: Wanted) => void };

type Listed = { group: { slug: string }; rows: SidebarRow[]; linesOf: (rows: SidebarRow[]) => ReactNode };

/**
 * The rows of the list, all of them without a filter; below them a link to a search of the whole group, since
 * the list is short.
 */
export default function NarrowBeside({ group, rows, linesOf }: Listed) {
  const [wanted, setWanted] = useState(EVERYTHING);
  const shown = narrowed(rows, wanted);
  return (
    <>
      <Asking group={group} wanted={wanted} onChange={setWanted} />
      {linesOf(shown)}
      <Further group={group} wanted={wanted} none={shown.length === 0} />
    </>
  );
}

/** Filters the list while typing; submitted, it searches the whole group. */
function Asking({ group, wanted, onChange }: Props) {
  const t = useWords();
  const { me } = useRoot();
  return (
    <Form
      action={urls.search()}
      role="search"
      aria-label={t("Filter the discussions of this group")}
      className="clear-both mb-2 flex items-center gap-1 px-1"
    >
      <input type="hidden" name="type" value="discussions" />
      <input type="hidden" name="in" value={group.slug} />
      <input
        type="search"
        name="q"
        aria-label={t("Filter the discussions of this group")}
        placeholder={t("Filter")}
        maxLength={200}
        dir="auto"
        value={wanted.words}
        onChange={({ currentTarget }) => onChange({ ...wanted, words: currentTarget.value })}
        className="input min-h-8 py-1 text-small"
      />
      {me && <Mine wanted={wanted} onChange={onChange} />}
    </Form>
  );
}

function Mine({ wanted, onChange }: Omit<Props, "group">) {
  const t = useWords();
  return (
    <button
      type="button"
      aria-pressed={wanted.mine}
      onClick={() => onChange({ ...wanted, mine: !wanted.mine })}
      className="inline-flex min-h-8 items-center rounded-full px-2.5 text-small text-quiet hover:underline aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-ink"
    >
      {t("Mine")}
    </button>
  );
}

function Further({ group, wanted: { words, mine }, none }: Omit<Props, "onChange"> & { none: boolean }) {
  const t = useWords();
  const typed = words.trim();
  const all = { q: `${typed} in:${group.slug} type:discussions` };
  return (
    <>
      <p role="status" className="px-2.5 text-small text-quiet">
        {none && t("No discussion fits that.")}
      </p>
      {mine && (
        <Link to={urls.group(group.slug, { filter: "mine" })} className="rail-link text-small">
          {t("Show all of them")}
        </Link>
      )}
      {typed !== "" && (
        <Link to={urls.search(all)} className="rail-link text-small">
          {t("Search the whole group")}
        </Link>
      )}
    </>
  );
}
