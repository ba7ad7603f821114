import { type AnchorHTMLAttributes, createContext, type MouseEvent, type ReactNode, use } from "react";
import { type NavigateFunction, useNavigate } from "react-router";

const NavigateContext = createContext<NavigateFunction | null>(null);

/** Inside this provider, links navigate without loading a document. */
export const NavigateProvider = ({ children }: { children: ReactNode }) => (
  <NavigateContext value={useNavigate()}>{children}</NavigateContext>
);

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** One of `urls`, or a query string or anchor on this page (beginning with `?` or `#`). */
  to: string;
  preventScrollReset?: boolean;
  replace?: boolean;
};

/**
 * A link to another page. The router's own link derives addresses from the tree around it, which on a page
 * with a hundred links is a good part of rendering. Our addresses are complete, so this is an anchor that
 * calls the router only on click.
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
 * A plain click that nothing has handled yet; with a modifier key or another button it is left to the
 * browser.
 */
const isPlainClick = (event: MouseEvent<HTMLAnchorElement>) =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  ["", "_self"].includes(event.currentTarget.target);
