import { Form, useLocation } from "react-router";
import { Avatar, ButtonLink, CountBadge, Menu, useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import type { ShellData } from "./default.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { useCurrentPath } from "../ui/hooks/use-current-path.ts";

export type NavigationItem = {
  to: string;
  label: string;
  /** Name of an icon in styles/icons.css. */
  icon: string;
  count?: number;
  /** The bar of narrow screens that contains the item. Without a bar, the item is in the account menu. */
  bar?: "top" | "bottom";
};

export function useNavigationItems(shell: ShellData): NavigationItem[] {
  const t = useTranslate();
  const { pathname } = useLocation();
  const { admin, reports } = useRootData();
  const home: NavigationItem = { to: urls.home(), label: t("Home"), icon: "house", bar: "bottom" };
  const groups: NavigationItem = { to: urls.groups(), label: t("Groups"), icon: "users", bar: "bottom" };
  const discussions: NavigationItem = {
    to: urls.discussions(),
    label: t("Discussions"),
    icon: "messages-square",
  };
  const library: NavigationItem = { to: urls.resources(), label: t("Resources"), icon: "book-open" };
  const events: NavigationItem = {
    to: urls.events(),
    label: t("Events", undefined, "calendar"),
    icon: "calendar-days",
  };
  if (!shell) return [home, discussions, groups, events, library];
  const { badges } = shell;
  const staff: NavigationItem[] = [
    ...(reports ? [{ to: urls.moderation(), label: t("Moderation"), icon: "flag" }] : []),
    ...(admin ? [{ to: urls.overview(), label: t("Administration"), icon: "settings" }] : []),
  ];
  return [
    home,
    { ...discussions, count: badges.unreadDiscussions },
    { ...groups, count: badges.groupInvitations + badges.requestsToDecide },
    events,
    {
      to: urls.messages(),
      label: t("Messages"),
      icon: "message-circle",
      count: badges.unreadConversations + badges.messageRequests,
      bar: "bottom",
    },
    {
      to: urls.notifications(),
      label: t("Notifications"),
      icon: "bell",
      // On the notifications page the count is 0, since its notifications count as seen.
      count: isCurrent(pathname, urls.notifications()) ? 0 : badges.notifications,
      bar: "top",
    },
    { to: urls.people(), label: t("People"), icon: "contact" },
    { to: urls.friends(), label: t("Friends"), icon: "hand-heart", count: badges.friendRequests },
    library,
    ...staff,
  ];
}

/** Whether the page belongs to the navigation item. Profiles and settings do not belong to the directory. */
export const isCurrent = (pathname: string, to: string) =>
  [urls.home(), urls.people()].includes(to)
    ? pathname === to
    : pathname === to || pathname.startsWith(`${to}/`);

/** Left navigation bar of wide screens: the site's name, navigation, the viewer's groups, and the viewer. */
export function Rail({ shell }: { shell: ShellData }) {
  const t = useTranslate();
  const places = useNavigationItems(shell);
  const { pathname } = useLocation();
  const { community, me } = useRootData();
  return (
    <header className="shell-rail">
      <div className="rail-scroll">
        <Link
          to={urls.home()}
          className="brand mb-4 block px-2.5 font-serif text-large font-semibold text-ink no-underline"
        >
          {community.name}
        </Link>
        <SearchBox />
        <nav aria-label={t("Main")} className="mt-3">
          <ul>
            {places.map((place) => (
              <RailItem key={place.to} place={place} here={isCurrent(pathname, place.to)} />
            ))}
          </ul>
        </nav>
        {shell && shell.groups.length > 0 && <MyGroups groups={shell.groups} />}
      </div>
      <div className="py-4">{me ? <ProfileLink /> : <GuestLinks />}</div>
    </header>
  );
}

function RailItem({ place: { to, label, icon, count }, here }: { place: NavigationItem; here: boolean }) {
  const t = useTranslate();
  return (
    <li>
      <Link to={to} className="rail-link" aria-current={here ? "page" : undefined}>
        <i className={`icon icon-${icon}`} />
        <span className="rail-name">{label}</span>
        {count ? <CountBadge n={count} fresh of={t("new")} /> : null}
      </Link>
    </li>
  );
}

function MyGroups({ groups }: { groups: NonNullable<ShellData>["groups"] }) {
  const t = useTranslate();
  const { pathname } = useLocation();
  return (
    <nav aria-label={t("My groups")} className="mt-5">
      <h2 className="mb-1 px-2.5 text-small font-semibold text-quiet">{t("My groups")}</h2>
      <ul>
        {groups.map((group) => (
          <RailGroup key={group.id} group={group} here={isCurrent(pathname, urls.group(group.slug))} />
        ))}
      </ul>
    </nav>
  );
}

type OwnGroup = NonNullable<ShellData>["groups"][number];

function RailGroup({ group, here }: { group: OwnGroup; here: boolean }) {
  const t = useTranslate();
  return (
    <li>
      <Link to={urls.group(group.slug)} className="rail-link" aria-current={here ? "page" : undefined}>
        <span dir="auto" className={group.unread ? "rail-name font-semibold" : "rail-name"}>
          {group.name}
        </span>
        {group.unread > 0 && <CountBadge n={group.unread} fresh of={t("unread")} />}
      </Link>
    </li>
  );
}

function SearchBox() {
  const t = useTranslate();
  return (
    <Form action={urls.search()} role="search" className="relative px-1">
      <i className="icon icon-search pointer-events-none absolute start-4 top-3 size-4 text-quiet" />
      <input
        type="search"
        name="q"
        aria-label={t("Search")}
        placeholder={t("Search")}
        maxLength={200}
        className="input ps-9"
      />
    </Form>
  );
}

function ProfileLink() {
  const { me } = useRootData();
  const { pathname } = useLocation();
  if (!me) return null;
  return (
    <div className="grid gap-1">
      <Link
        to={urls.person(me.id)}
        className="rail-link"
        aria-current={pathname === urls.person(me.id) ? "page" : undefined}
      >
        <Avatar person={me} size={32} />
        <span className="rail-name font-semibold">{me.name}</span>
      </Link>
      <div className="grid grid-cols-2 gap-x-1 text-small">
        <OwnLinks id={me.id} className="rail-link" />
      </div>
    </div>
  );
}

/** Links to the viewer's own pages, and the button to sign out. */
function OwnLinks({ id, className }: { id: string; className: string }) {
  const t = useTranslate();
  const links: [string, string][] = [
    [urls.bookmarks(), t("Bookmarks")],
    [urls.drafts(), t("Drafts")],
    [urls.settings(id), t("Settings")],
  ];
  return (
    <>
      {links.map(([to, label]) => (
        <Link key={to} to={to} className={className}>
          {label}
        </Link>
      ))}
      <Form method="post" action={urls.logout()}>
        <button type="submit" className={`${className} w-full cursor-pointer`}>
          {t("Sign out")}
        </button>
      </Form>
    </>
  );
}

function GuestLinks() {
  const t = useTranslate();
  const next = useCurrentPath();
  return (
    <div className="grid gap-2 px-1">
      <ButtonLink kind="primary" to={urls.register({ next })}>
        <i className="icon icon-user-plus size-4" />
        {t("Sign up")}
      </ButtonLink>
      <ButtonLink to={urls.login({ next })} data-sign-in>
        <i className="icon icon-log-in size-4" />
        {t("Sign in")}
      </ButtonLink>
    </div>
  );
}

/** Top bar of narrow screens: the site's name, search, notifications and the account menu. */
export function TopBar({ shell }: { shell: ShellData }) {
  const t = useTranslate();
  const { community, me } = useRootData();
  const next = useCurrentPath();
  const items = useNavigationItems(shell);
  return (
    <header className="topbar">
      <Link
        to={urls.home()}
        dir="auto"
        className="brand min-w-0 flex-1 truncate font-serif text-read font-semibold text-ink no-underline"
      >
        {community.name}
      </Link>
      <Link to={urls.search()} className="button" data-kind="quiet" aria-label={t("Search")}>
        <i className="icon icon-search size-5" />
      </Link>
      {items
        .filter(({ bar }) => bar === "top")
        .map((item) => (
          <Link key={item.to} to={item.to} className="button" data-kind="quiet">
            <span className="sr-only">{item.label}</span>
            <IconWithCount item={item} />
          </Link>
        ))}
      {me ? (
        <Menu label={t("Account menu")} summary={<Avatar person={me} size={32} />}>
          <Link to={urls.person(me.id)} className="menu-item">
            {t("Profile")}
          </Link>
          {items
            .filter(({ bar }) => !bar)
            .map(({ to, label, count }) => (
              <Link key={to} to={to} className="menu-item">
                {label} {count ? <CountBadge n={count} fresh of={t("new")} /> : null}
              </Link>
            ))}
          <OwnLinks id={me.id} className="menu-item" />
        </Menu>
      ) : (
        <ButtonLink to={urls.login({ next })} data-sign-in>
          {t("Sign in")}
        </ButtonLink>
      )}
    </header>
  );
}

export function IconWithCount({ item: { icon, count } }: { item: NavigationItem }) {
  const t = useTranslate();
  return (
    <span className="counted">
      <i className={`icon icon-${icon} size-5.5`} />
      {count ? <CountBadge n={count} fresh of={t("new")} /> : null}
    </span>
  );
}
