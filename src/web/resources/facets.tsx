import { ChevronDown, X } from "lucide-react";
import type { ResourceFacet, ResourceFacets, ResourceKind } from "#community/resources";
import { Count, Menu, Tabs, SearchIn } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { useKindWords } from "./kinds.tsx";
import type { Looking } from "./looking-for.ts";
import { Link } from "../ui/link.tsx";

type Props = { looking: Looking; facets: ResourceFacets };

/** Search, kinds, and what else narrows the list; each choice is a link with its count. */
export function Facets({ looking, facets }: Props) {
  const t = useWords();
  const kinds = useKindWords();
  const ofKind = (kind: ResourceKind) => facets.kinds.find((it) => it.value === kind)?.count ?? 0;
  return (
    <section aria-label={t("Look for")}>
      <SearchForm looking={looking} />
      <div className="mt-3">
        <Tabs
          label={t("Kinds of resources")}
          tabs={[
            { to: urls.resources({ ...looking, kind: undefined }), label: t("All"), current: !looking.kind },
            ...(["link", "document", "file"] as const).map((kind) => ({
              to: urls.resources({ ...looking, kind }),
              label: kinds.many[kind],
              current: looking.kind === kind,
              count: ofKind(kind),
            })),
          ]}
        />
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-1">
        <Choice label={t("Tag")} chosen={looking.tag} choices={facets.tags} to={(tag) => urls.resources({ ...looking, tag })} />
        <Choice
          label={t("Group")}
          chosen={facets.groups.find((it) => it.value === looking.group)?.label ?? looking.group}
          choices={facets.groups}
          to={(group) => urls.resources({ ...looking, group })}
        />
        <Sorting looking={looking} />
      </div>
    </section>
  );
}

function SearchForm({ looking }: { looking: Looking }) {
  const t = useWords();
  const { search, ...rest } = looking;
  return <SearchIn label={t("Search the library")} hint={t("Title or reason")} search={search} keeping={rest} />;
}

type ChoiceProps = { label: string; chosen: string | undefined; choices: ResourceFacet[]; to: (value: string | undefined) => string };

function Choice({ label, chosen, choices, to }: ChoiceProps) {
  const t = useWords();
  if (chosen !== undefined)
    return (
      <Link
        to={to(undefined)}
        className="button"
        aria-label={t("{label}: {chosen}. Take this filter away", { label, chosen })}
        preventScrollReset
      >
        {label}: <span dir="auto">{chosen}</span>
        <X size={14} strokeWidth={1.75} aria-hidden />
      </Link>
    );
  if (choices.length === 0) return null;
  return (
    <Menu
      label={label}
      className="menu-start"
      summary={
        <>
          {label}
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
        </>
      }
    >
      <ul>
        {choices.map((it) => (
          <li key={it.value}>
            <Link to={to(it.value)} className="menu-item" preventScrollReset>
              <span dir="auto" className="min-w-0 flex-1 break-words">
                {it.label}
              </span>
              <Count n={it.count} />
            </Link>
          </li>
        ))}
      </ul>
    </Menu>
  );
}

function Sorting({ looking }: { looking: Looking }) {
  const t = useWords();
  const names = { newest: t("Newest first"), title: t("A to Z"), discussed: t("Most discussed") };
  const now = looking.sort ?? "newest";
  return (
    <Menu
      label={t("Order: {name}", { name: names[now] })}
      className="ms-auto"
      summary={
        <>
          {names[now]}
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
        </>
      }
    >
      {(Object.keys(names) as (keyof typeof names)[]).map((sort) => (
        <Link
          key={sort}
          to={urls.resources({ ...looking, sort: sort === "newest" ? undefined : sort })}
          className="menu-item"
          aria-current={sort === now ? "true" : undefined}
          preventScrollReset
        >
          {names[sort]}
        </Link>
      ))}
    </Menu>
  );
}
