import { CountBadge } from "../basic-components.tsx";
import { Link } from "./link.tsx";

export type Tab = { to: string; label: string; current: boolean; count?: number };

/**
 * Tabs as links, so that each has an address. Tabs that do not fit scroll; with `wraps` they are in several
 * rows, always or on wide screens only.
 */
export const Tabs = ({
  label,
  tabs,
  fixed = false,
  wraps,
}: {
  label: string;
  tabs: Tab[];
  fixed?: boolean;
  wraps?: "always" | "wide";
}) => (
  <nav aria-label={label} className="tabs" data-fixed={fixed || undefined} data-wraps={wraps}>
    {tabs.map((tab) => (
      <Link key={tab.to} to={tab.to} aria-current={tab.current ? "page" : undefined} preventScrollReset>
        {tab.label} {tab.count ? <CountBadge n={tab.count} /> : null}
      </Link>
    ))}
  </nav>
);
