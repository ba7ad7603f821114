import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { isWithin } from "./is-within.ts";
import { useCloseOnNavigation } from "./use-close-on-navigation.ts";

/**
 * A menu that opens without scripts. With scripts it also closes on Escape, on a click outside, when it
 * loses the focus, and after navigation.
 */
export function Menu({
  label,
  children,
  summary,
  className = "",
  kind = "quiet",
}: {
  label: string;
  summary: ReactNode;
  children: ReactNode;
  className?: string;
  kind?: "plain" | "quiet";
}) {
  const box = useRef<HTMLDetailsElement>(null);
  const opens = useCloseOnNavigation(useCallback(() => box.current?.removeAttribute("open"), []));
  useEffect(() => {
    const close = (event: Event) => {
      const menu = box.current;
      if (!menu?.open) return;
      if (event instanceof KeyboardEvent ? event.key !== "Escape" : isWithin(menu, event)) return;
      menu.open = false;
      if (event instanceof KeyboardEvent) menu.querySelector("summary")?.focus();
    };
    // The menu has a limited height, so an item that expands near the end is scrolled into view.
    const show = ({ target }: Event) => {
      if (target !== box.current && target instanceof HTMLDetailsElement && target.open)
        target.scrollIntoView({ block: "nearest" });
    };
    const menu = box.current;
    menu?.addEventListener("toggle", show, true);
    menu?.addEventListener("focusout", close);
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      menu?.removeEventListener("toggle", show, true);
      menu?.removeEventListener("focusout", close);
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, []);
  return (
    <details ref={box} className={`menu ${className}`}>
      <summary className="button" data-kind={kind} aria-label={label} onClick={opens}>
        {summary}
      </summary>
      <div className="menu-list">{children}</div>
    </details>
  );
}
