import { type MouseEvent, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";
import { Link } from "../navigation/link.tsx";
import { isWithin } from "./is-within.ts";
import { useCloseOnNavigation } from "./use-close-on-navigation.ts";

type LazyMenuProps = {
  label: string;
  summary: ReactNode;
  /** Page on which the menu is open, for browsers without scripts. */
  to: string;
  /** Whether the current page is `to`, so that the menu is open. */
  open: boolean;
  className?: string;
  children: (close: () => void) => ReactNode;
};

/**
 * A menu that is rendered when it is first opened: in a list of twenty rows, closed menus would be half of
 * the page. With scripts it opens in place. It closes on Escape, on a click outside, when it loses the
 * focus, and after navigation.
 */
export function LazyMenu({ label, summary, to, open: asked, className = "", children }: LazyMenuProps) {
  const [open, setOpen] = useState(asked);
  const box = useRef<HTMLSpanElement>(null);
  const close = useCallback(() => setOpen(false), []);
  const opens = useCloseOnNavigation(close);
  // This must be a layout effect: by the next frame the person may already have navigated, and the menu would
  // stay open.
  useLayoutEffect(() => {
    if (!open) return;
    const menu = box.current;
    const leave = (event: Event) => {
      if (!menu || (event instanceof KeyboardEvent ? event.key !== "Escape" : isWithin(menu, event))) return;
      setOpen(false);
      if (event instanceof KeyboardEvent) menu.querySelector("a")?.focus();
    };
    menu?.addEventListener("focusout", leave);
    document.addEventListener("pointerdown", leave);
    document.addEventListener("keydown", leave);
    return () => {
      menu?.removeEventListener("focusout", leave);
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("keydown", leave);
    };
  }, [open]);
  const toggle = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    opens();
    setOpen(!open);
  };
  return (
    <span ref={box} className={className ? `menu ${className}` : "menu"}>
      <Link
        to={to}
        role="button"
        className="button"
        data-kind="quiet"
        aria-label={label}
        aria-expanded={open}
        onClick={toggle}
        preventScrollReset
      >
        {summary}
      </Link>
      {open && <span className="menu-list block">{children(close)}</span>}
    </span>
  );
}
