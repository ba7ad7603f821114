import type { MetaDescriptor } from "react-router";
import type { RootData } from "../root.tsx";
import { translate, getTranslations, type useTranslate } from "../i18n/index.ts";

type TranslateText = ReturnType<typeof useTranslate>;
type PageMeta = {
  title: string;
  description?: string;
  /** Canonical address as a path; only for public pages. */
  canonical?: string;
  /** Path of the previous page of a series. */
  prev?: string;
  /** Path of the next page of a series. */
  next?: string;
  /** Whether search engines must not index the page. */
  hidden?: boolean;
  /** Whether the page is an article. */
  article?: boolean;
  /** Structured data for search engines. */
  jsonLd?: Record<string, unknown>;
};
type MetaArgs<D> = {
  loaderData?: D | undefined;
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
  error?: unknown;
};

type RouteMatches = readonly ({ loaderData?: unknown } | undefined)[];
const isRootData = (loaderData: unknown): loaderData is RootData => loaderData !== undefined;

/** Returns the data of the root, which is the first of the matched routes; undefined if its loader failed. */
export function readRootData([root]: RouteMatches): RootData | undefined {
  return isRootData(root?.loaderData) ? root.loaderData : undefined;
}

/**
 * Creates the `meta` function of a page, for title, description and other head tags: `export const meta =
 * pageMeta<Route.MetaArgs>((data, t) => ({ … }))`.
 */
export const pageMeta =
  <D>(about: (data: D, t: TranslateText, root: RootData) => PageMeta) =>
  ({ loaderData, matches }: MetaArgs<D>): MetaDescriptor[] => {
    const root = readRootData(matches);
    if (!root) return [{ title: "Kith" }];
    const i18n = getTranslations(root.locale);
    const t: TranslateText = (text, values, context) => translate(i18n, text, values, context);
    if (loaderData === undefined)
      return [{ title: root.community.name }, { name: "robots", content: "noindex" }];
    return createMetaTags(about(loaderData, t, root), root);
  };

function createMetaTags(
  { title, description, canonical, prev, next, hidden, article, jsonLd }: PageMeta,
  root: RootData,
): MetaDescriptor[] {
  const full = title === root.community.name ? title : `${title} · ${root.community.name}`;
  const tags: MetaDescriptor[] = [
    { title: full },
    { name: "description", content: description ?? root.community.sentence },
  ];
  if (hidden) return [...tags, { name: "robots", content: "noindex" }];
  if (!canonical) return tags;
  const url = root.origin + canonical;
  return [
    ...tags,
    { tagName: "link", rel: "canonical", href: url },
    ...(prev ? [{ tagName: "link", rel: "prev", href: root.origin + prev }] : []),
    ...(next ? [{ tagName: "link", rel: "next", href: root.origin + next }] : []),
    { property: "og:title", content: title },
    { property: "og:description", content: description ?? root.community.sentence },
    { property: "og:url", content: url },
    { property: "og:site_name", content: root.community.name },
    { property: "og:type", content: article || jsonLd ? "article" : "website" },
    ...(jsonLd ? [{ "script:ld+json": jsonLd }] : []),
  ] as MetaDescriptor[];
}
