import { type AnchorHTMLAttributes, createContext, type MouseEvent, type ReactNode, use } from "react";
import { type NavigateFunction, useNavigate } from "react-router";

const Going = createContext<NavigateFunction | null>(null);

/** Within it, links lead on without loading a document. */
export const GoingProvider = ({ children }: { children: ReactNode }) => <Going value={useNavigate()}>{children}</Going>;

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** An address of ours, from `urls`; or, beginning with `?` or `#`, a place on this page. */
  to: string;
  preventScrollReset?: boolean;
  replace?: boolean;
};

/**
 * A way to another page. The router's own link works out its address, its form's and its state's from the tree around
 * it; on a page of a hundred links that is a good part of rendering. Ours are addresses already, so it is an anchor
 * that asks the router only when it is pressed.
 */
export function Link({ to, preventScrollReset, replace, onClick, children, ...rest }: LinkProps) {
  const go = use(Going);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!go || !isForUs(event)) return;
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

/** A plain press that nobody has answered yet: with a key held or another button, it is the browser's own. */
const isForUs = (event: MouseEvent<HTMLAnchorElement>) =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) &&
  ["", "_self"].includes(event.currentTarget.target);
