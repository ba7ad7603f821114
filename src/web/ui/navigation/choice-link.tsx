import { Link } from "./link.tsx";

/** Link to one of several views of a list. Each view has an address, and the current one is marked. */
export const ChoiceLink = ({ to, current, children }: { to: string; current: boolean; children: string }) => (
  <Link
    to={to}
    preventScrollReset
    aria-current={current ? "true" : undefined}
    className={`inline-flex min-h-7 items-center rounded-full px-2.5 no-underline hover:underline
      ${current ? "bg-accent-soft font-semibold text-ink" : "text-quiet"}`}
  >
    {children}
  </Link>
);
