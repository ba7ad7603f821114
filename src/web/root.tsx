import "./styles/app.css";
import "./styles/icons.css";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import serif from "@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url";
import { type ReactNode, useEffect } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from "react-router";
import { accountRules, groupRules, reportRules } from "#community/rules";
import { defaultSettings } from "#community/settings";
import type { Route } from "./+types/root";
import guestScript from "./client/guest.js?url";
import { auth } from "./auth.ts";
import { overBreaks } from "./client/breaks.ts";
import { putBackEarlyWords } from "./client/early-words.ts";
import { errorMeta } from "./errors/error-facts.ts";
import { BareErrorPage } from "./errors/error-page.tsx";
import { NewBuildLine } from "./layouts/new-build-line.tsx";
import { Progress } from "./layouts/progress.tsx";
import { lookOf } from "./look.ts";
import { GoingProvider } from "./ui/link.tsx";
import { useOnePerson } from "./ui/use-one-person.ts";
import { reading } from "./visit.ts";
import { directionOf, loadWords, say, wordsFor } from "./words/index.ts";

export const middleware = [auth];

/** Loads the translations of the next page while its data loads. Without them the page is in English. */
const wordsOnTheWay: Route.ClientMiddlewareFunction = async ({ url }, next) => {
  const words = loadWords(document.documentElement.lang, url.pathname).catch(() => null);
  await next();
  await words;
};
/**
 * Requests during a connection loss wait for its end, or fail without replacing the page by an error page.
 */
const acrossTheBreak: Route.ClientMiddlewareFunction = ({ request }, next) =>
  overBreaks(request, next, (sentence) => say(wordsFor(document.documentElement.lang), sentence));
export const clientMiddleware = [acrossTheBreak, wordsOnTheWay];

export const loader = reading(async ({ visit, house }) => {
  const { name, sentence, audience, ground, accent, logo, whoCreatesGroups } = await house.settings.get();
  return {
    me: visit.me,
    /**
     * `forMembers`: guests read none of it. `ground` is the background of the welcome page, `look` the
     * branding of all pages.
     */
    community: {
      name,
      sentence,
      ...(audience === "private" && { forMembers: true }),
      ...(ground !== defaultSettings.ground && { ground }),
      ...lookOf({ accent, logo }),
    },
    locale: visit.locale,
    theme: visit.theme,
    textSize: visit.textSize,
    timeZone: visit.timeZone,
    now: visit.now.getTime(),
    origin: house.origin(),
    publicConfig: house.publicConfig,
    mailboxOpen: house.mailboxOpen,
    /** Sent to admins only. */
    ...(accountRules.run(visit.viewer) && { admin: true }),
    ...(reportRules.list(visit.viewer) && { reports: true }),
    ...(groupRules.create(visit.viewer, whoCreatesGroups) && { founds: true }),
  };
});

export type RootData = Awaited<ReturnType<typeof loader>>;

/**
 * The document around every page, also around error pages: it must render even when the root loader failed.
 */
export function Layout({ children }: { children: ReactNode }) {
  const root = useRouteLoaderData<RootData>("root");
  const locale = root?.locale ?? "en";
  const theme = root?.theme ?? "system";
  /** A chosen theme also sets the colour of the browser's bar, whatever the system prefers. */
  const bySystem = (light: string) => (theme === "system" ? `(prefers-color-scheme: ${light})` : undefined);
  useEffect(putBackEarlyWords, []);
  return (
    <html
      lang={locale}
      dir={directionOf(locale)}
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
        <link rel="manifest" href="/manifest.webmanifest" />
        <Meta />
        <Links />
      </head>
      <body>
        <GoingProvider>{children}</GoingProvider>
        <ScrollRestoration />
        <Scripts />
        {root && !root.me && <script type="module" src={guestScript} data-guest suppressHydrationWarning />}
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useOnePerson(loaderData.me?.id);
  return (
    <>
      <Progress />
      <NewBuildLine />
      <Outlet />
    </>
  );
}

export const meta = errorMeta;

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <BareErrorPage error={error} />;
}
