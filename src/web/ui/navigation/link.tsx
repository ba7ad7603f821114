import { type AnchorHTMLAttributes, createContext, type MouseEvent, type ReactNode, use } from "react";
import { type NavigateFunction, useNavigate } from "react-router";

const NavigateContext = createContext<NavigateFunction | null>(null);

/** Provider of client-side navigation: links inside it do not load a new document. */
export const NavigateProvider = ({ children }: { children: ReactNode }) => (
  <NavigateContext value={useNavigate()}>{children}</NavigateContext>
);

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** Address from `urls`, or a query string or anchor on this page (beginning with `?` or `#`). */
  to: string;
  preventScrollReset?: boolean;
  replace?: boolean;
};

/**
 * A link to another page. The router's own link resolves its address in the tree around it, which takes much
 * of the rendering time on a page with a hundred links. Our addresses are complete, so this is an anchor
 * that calls the router only on click.
 */
export function Link({ to, preventScrollReset, replace, onClick, children, ...rest }: LinkProps) {
  const go = use(NavigateContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!go || !isPlainClick(event)) return;
    event.preventDefault();
    const here = event.currentTarget.href === location.href;
    void go(to, { preventScrollReset, replace: replace ?? here });
  };
  return (
    <a {...rest} href={to} onClick={follow}>
      {children}
    </a>
  );
}

/**
 * Whether a click is plain and not handled yet. Clicks with a modifier key or another button are left to the
 * browser.
 */
const isPlainClick = (event: MouseEvent<HTMLAnchorElement>) =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  ["", "_self"].includes(event.currentTarget.target);
