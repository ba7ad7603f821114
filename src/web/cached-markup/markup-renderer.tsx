import { createContext, type ReactNode, use } from "react";
import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { DAY, MINUTE } from "#platform/clock";
import { getTranslations, TranslationProvider } from "../i18n/index.ts";
import type { RootData } from "../root.tsx";
import type { MarkupCache } from "../server/markup-cache.ts";
import type { MarkupRenderer } from "./cached-markup.tsx";

/** Relative times, which change by the minute, are shown for a week; a day is added for all time zones. */
const RELATIVE_TIMES = 8 * DAY;

/**
 * Creates the renderer of one request. HTML is cached under everything that went into it: the component, its
 * props, and the data of the root that it can read. Nothing else of the page is there while it is rendered,
 * so a component that reads something else fails its tests instead of showing one reader's data to another.
 */
export function createMarkupRenderer(cache: MarkupCache, root: RootData): MarkupRenderer {
  const { now } = root;
  const shared = toSharedRootData(root);
  const sharedKey = JSON.stringify(shared);
  let renderAlone: ReturnType<typeof createPage> | undefined;
  return (Component, values, times) => {
    const key = `${idOf(Component)} ${timeStep(times, now)} ${sharedKey} ${JSON.stringify(values)}`;
    const known = cache.get(key, now);
    if (known !== undefined) return known;
    renderAlone ??= createPage({ ...shared, now });
    const html = renderAlone(<Component {...values} />);
    cache.keep(key, html, [], cache.begin(), now);
    return html;
  };
}

/** The data of the root that cached markup can read. Of the viewer it knows only whether they are signed in. */
const toSharedRootData = ({ me, community: { name, forMembers }, locale, timeZone }: RootData) => ({
  me: me && {},
  community: { name, forMembers },
  locale,
  timeZone,
});
type SharedRootData = ReturnType<typeof toSharedRootData>;

/** The step of time in which the texts of these times stay the same. */
const timeStep = (times: readonly (Date | null)[], now: number) =>
  times.some((at) => at !== null && now - at.getTime() < RELATIVE_TIMES)
    ? Math.floor(now / MINUTE)
    : `day ${Math.floor(now / DAY)}`;

const ids = new WeakMap<object, number>();
let lastId = 0;
/** Identifies a component in keys; names of components are not unique. */
function idOf(component: object): number {
  const id = ids.get(component) ?? ++lastId;
  ids.set(component, id);
  return id;
}

const ContentContext = createContext<ReactNode>(null);
const Content = () => use(ContentContext);

const handler = createStaticHandler([{ id: "root", path: "*", element: <Content /> }]);
const page = await handler.query(new Request("http://localhost/"));
if (page instanceof Response) throw new Error("A page without loaders does not redirect.");
const emptyPage = page;

/** Creates a page that has only this data of the root, and returns a function that renders content in it. */
function createPage(root: SharedRootData & { now: number }) {
  const context = { ...emptyPage, loaderData: { root } };
  const router = createStaticRouter(handler.dataRoutes, context);
  return (content: ReactNode) =>
    renderToString(
      <TranslationProvider i18n={getTranslations(root.locale)}>
        <ContentContext value={content}>
          <StaticRouterProvider router={router} context={context} hydrate={false} />
        </ContentContext>
      </TranslationProvider>,
    );
}
