import { Menu } from "../menus/menu.tsx";
import { CountBadge } from "../basic-components.tsx";
import { Link } from "./link.tsx";
import { useTranslate } from "../../i18n/index.ts";

type ListFilterProps = {
  label: string;
  chosen: string | undefined;
  choices: { value: string; label: string; count?: number }[];
  to: (value: string | undefined) => string;
};

/**
 * A filter of a list. It shows the choices, with counts if there are any. After a choice it shows only that
 * choice and a link that clears it.
 */
export function ListFilter({ label, chosen, choices, to }: ListFilterProps) {
  const t = useTranslate();
  if (chosen !== undefined)
    return (
      <Link
        to={to(undefined)}
        className="button"
        aria-label={t("{label}: {chosen}. Clear this filter", { label, chosen })}
        preventScrollReset
      >
        {label}: <span dir="auto">{chosen}</span>
        <i className="icon icon-x size-3.5" />
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
          <i className="icon icon-chevron-down size-3.5" />
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
              {it.count !== undefined && <CountBadge n={it.count} />}
            </Link>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
