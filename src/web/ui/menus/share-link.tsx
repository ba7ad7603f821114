import type { MouseEvent } from "react";
import { useTranslate } from "../../i18n/index.ts";
import { useClipboard } from "../hooks/use-clipboard.ts";

/**
 * Menu item that shares a page's permanent address where the device can, else copies it. Without scripts or a
 * clipboard, it is a plain link.
 */
export function ShareLink({ to }: { to: string }) {
  const t = useTranslate();
  const { copied, copy } = useClipboard();
  const share = (event: MouseEvent<HTMLAnchorElement>) => {
    const url = event.currentTarget.href;
    const shares = "share" in navigator && matchMedia("(pointer: coarse)").matches;
    if (shares) void navigator.share({ url }).catch(() => {});
    else copy?.(url);
    if (shares || copy) event.preventDefault();
  };
  return (
    <a href={to} className="menu-item" aria-live="polite" onClick={share}>
      <i className="icon icon-share-2" />
      {copied ? t("Link copied") : t("Copy link")}
    </a>
  );
}
