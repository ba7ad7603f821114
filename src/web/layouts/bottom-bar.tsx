import { useLocation } from "react-router";
import { useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";
import { useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import type { ShellData } from "./default.tsx";
import { IconWithCount, isCurrent, type NavigationItem, useNavigationItems } from "./navigation-bars.tsx";

/** Bottom bar of narrow screens: navigation, and in the middle, for members, the button for new content. */
export function BottomBar({ shell }: { shell: ShellData }) {
  const t = useTranslate();
  const { me } = useRootData();
  const places = useNavigationItems(shell).filter(({ bar }) => !shell || bar === "bottom");
  const own: NavigationItem[] = me ? [{ to: urls.person(me.id), label: t("Me"), icon: "user-round" }] : [];
  return (
    <>
      {shell && <CreateSheet />}
      <nav aria-label={t("Quick links")} className="bottombar">
        <BottomBarLinks items={shell ? places.slice(0, 2) : places} />
        {shell && (
          <button type="button" popoverTarget="create" aria-label={t("Create")}>
            <i className="icon icon-plus size-6" />
          </button>
        )}
        {shell && <BottomBarLinks items={[...places.slice(2), ...own]} />}
      </nav>
    </>
  );
}

function BottomBarLinks({ items }: { items: NavigationItem[] }) {
  const { pathname } = useLocation();
  return items.map((item) => (
    <Link key={item.to} to={item.to} aria-current={isCurrent(pathname, item.to) ? "page" : undefined}>
      <IconWithCount item={item} />
      {item.label}
    </Link>
  ));
}

/**
 * What can be created, above the bottom bar. The sheet opens without scripts. The key `c` clicks the sheet's
 * first link on any screen (`data-start`).
 */
function CreateSheet() {
  const t = useTranslate();
  const { founds } = useRootData();
  const close = () => document.getElementById("create")?.hidePopover();
  const choices = [
    { to: urls.start(), icon: "messages-square", label: t("Discussion") },
    { to: urls.messages({ begin: "1" }), icon: "message-circle", label: t("Message") },
    { to: urls.newEvent(), icon: "calendar-days", label: t("Event", undefined, "calendar") },
    { to: urls.newResource(), icon: "book-open", label: t("Resource") },
    ...(founds ? [{ to: urls.newGroup(), icon: "users", label: t("Group") }] : []),
  ];
  return (
    <div id="create" popover="auto" className="create-sheet">
      <nav aria-label={t("Create")}>
        {choices.map(({ to, icon, label }) => (
          <Link key={to} to={to} className="menu-item" data-start onClick={close}>
            <i className={`icon icon-${icon}`} />
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}
