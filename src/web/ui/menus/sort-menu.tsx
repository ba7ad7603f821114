import { useTranslate } from "../../i18n/index.ts";
import { Link } from "../navigation/link.tsx";
import { Menu } from "./menu.tsx";

type SortMenuProps<Name extends string> = {
  names: Record<Name, string>;
  now: Name;
  to: (name: Name) => string;
};

/** Sort orders of a list, with their names. They are links, so that each order has an address. */
export function SortMenu<Name extends string>({ names, now, to }: SortMenuProps<Name>) {
  const t = useTranslate();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `keysOf` would be a script of its own here
  const orders = Object.keys(names) as Name[];
  return (
    <Menu
      label={t("Order: {name}", { name: names[now] })}
      className="ms-auto"
      summary={
        <>
          {names[now]}
          <i className="icon icon-chevron-down size-3.5" />
        </>
      }
    >
      {orders.map((name) => (
        <Link
          key={name}
          to={to(name)}
          className="menu-item"
          aria-current={name === now ? "true" : undefined}
          preventScrollReset
        >
          {names[name]}
        </Link>
      ))}
    </Menu>
  );
}
