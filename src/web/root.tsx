import "./styles/app.css";
import "./styles/icons.css";
import inter from "~fonts/inter-latin.woff2?url";
import serif from "~fonts/source-serif-4-latin.woff2?url";
import { type ReactNode, useEffect, useLayoutEffect, useState } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from "react-router";
import { accountRules, groupRules, reportRules } from "#community/rules";
import { defaultSettings } from "#community/settings";
import type { Route } from "./+types/root";
import guestScript from "./client/guest.js?url";
import { authenticate } from "./auth-middleware.ts";
import { withOfflineHandling } from "./client/connection-loss.ts";
import { recordSelection, restoreEarlyInput } from "./client/early-input.ts";
import { errorMeta } from "./errors/error-page-data.ts";
import { BareErrorPage } from "./errors/error-page.tsx";
import { NewBuildNotice } from "./layouts/new-build-notice.tsx";
import { NavigationProgress } from "./layouts/navigation-progress.tsx";
import { getBranding } from "./branding.ts";
import { readNotice } from "./notices/notice.ts";
import { NavigateProvider } from "./ui/navigation/link.tsx";
import { useReloadOnPersonChange } from "./ui/hooks/use-reload-on-person-change.ts";
import { defineLoader } from "./request-context.ts";
import { textDirection, loadTranslations, translate, getTranslations } from "./i18n/index.ts";

export const middleware = [authenticate];

/**
 * Loads the translations of the next page while its data loads. Otherwise the page would first be in
 * English.
 */
const preloadTranslations: Route.ClientMiddlewareFunction = async ({ url }, next) => {
  const words = loadTranslations(document.documentElement.lang, url.pathname).catch(() => null);
  await next();
  await words;
};
/** During a connection loss, requests wait or fail, without replacing the page by an error page. */
const handleConnectionLoss: Route.ClientMiddlewareFunction = ({ request }, next) =>
  withOfflineHandling(request, next, (sentence) =>
    translate(getTranslations(document.documentElement.lang), sentence),
  );
export const clientMiddleware = [handleConnectionLoss, preloadTranslations];

export const loader = defineLoader(async ({ ctx, app, request, url }) => {
  const notice = readNotice(ctx, request, url);
  const { name, sentence, audience, ground, accent, logo, whoCreatesGroups } = await app.settings.get();
  return {
    me: ctx.me,
    /**
     * `forMembers`: the community is private, so guests cannot read it. `ground`: background of the welcome
     * page. `look`: branding of all pages.
     */
    community: {
      name,
      sentence,
      ...(audience === "private" && { forMembers: true }),
      ...(ground !== defaultSettings.ground && { ground }),
      ...getBranding({ accent, logo }),
    },
    locale: ctx.locale,
    theme: ctx.theme,
    textSize: ctx.textSize,
    timeZone: ctx.timeZone,
    now: ctx.now.getTime(),
    origin: app.origin(),
    publicConfig: app.publicConfig,
    mailboxOpen: app.mailboxOpen,
    /** Notice of the last form, which `client/notice-toasts.ts` shows. */
    ...(notice && { notice }),
    /** Sent to admins only. */
    ...(accountRules.run(ctx.viewer) && { admin: true }),
    ...(reportRules.list(ctx.viewer) && { reports: true }),
    ...(groupRules.create(ctx.viewer, whoCreatesGroups) && { founds: true }),
  };
});

export type RootData = Awaited<ReturnType<typeof loader>>;

/** The document around every page, including error pages. It must render even if the root loader failed. */
export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<RootData>("root");
  const locale = root?.locale ?? "en";
  const theme = root?.theme ?? "system";
  /**
   * Media query for a color of the browser's bar. A chosen theme sets that color whatever the system's
   * setting, so it needs no media query.
   */
  const bySystem = (light: string) => (theme === "system" ? `(prefers-color-scheme: ${light})` : undefined);
  const [restoreSelection] = useState(recordSelection);
  useLayoutEffect(restoreSelection, [restoreSelection]);
  useEffect(() => {
    restoreEarlyInput();
    // The outermost component's effect runs last, so keys and clicks are handled from now on.
    document.documentElement.dataset.hydrated = "true";
  }, []);
  return (
    <html
      lang={locale}
      dir={textDirection(locale)}
      data-theme={theme}
      data-text-size={root?.textSize}
      data-viewer={root?.me ? "member" : "guest"}
      style={root?.community.look}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme === "system" ? "light dark" : theme} />
        {theme !== "dark" && <meta name="theme-color" media={bySystem("light")} content="#FAF8F4" />}
        {theme !== "light" && <meta name="theme-color" media={bySystem("dark")} content="#15171B" />}
        <link rel="preload" as="font" type="font/woff2" href={inter} crossOrigin="anonymous" />
        <link rel="preload" as="font" type="font/woff2" href={serif} crossOrigin="anonymous" />
        <link rel="icon" href={root?.community.icon ?? "/icon.svg"} />
        <link rel="apple-touch-icon" href={root?.community.touchIcon ?? "/apple-touch-icon.png"} />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Meta />
        {/* Links need no nonce. In the browser there is none, so the server must not render one either. */}
        <Links nonce="" />
      </head>
      <body>
        <NavigateProvider>{children}</NavigateProvider>
        <ScrollRestoration />
        <Scripts />
        {root && !root.me && <script type="module" src={guestScript} data-guest suppressHydrationWarning />}
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useReloadOnPersonChange(loaderData.me?.id);
  return (
    <>
      <NavigationProgress />
      <NewBuildNotice />
      <Outlet />
    </>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <BareErrorPage error={error} />;
}
