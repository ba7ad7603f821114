import { type ComponentType, createContext, type HTMLAttributes, use } from "react";

/** Renders a component as HTML, or returns the HTML that the same values had before. */
export type MarkupRenderer = <V extends object>(
  component: ComponentType<V>,
  values: V,
  times: readonly (Date | null)[],
) => string;

const MarkupContext = createContext<MarkupRenderer | null>(null);
export const MarkupRendererProvider = MarkupContext.Provider;

type CachedMarkupProps<V extends object> = HTMLAttributes<HTMLElement> & {
  /**
   * The content of the article. It may only use `values`, the language, and the data of the root in
   * `markup-renderer.tsx`.
   */
  component: ComponentType<V>;
  /** The props of the component: everything that its HTML depends on. They must survive as JSON. */
  values: V;
  /** All times that the content shows. */
  times: readonly (Date | null)[];
  /** Whether the content depends on `values` alone. */
  cacheable: boolean;
};

/**
 * An article whose content the server renders once for all readers with the same values. In the browser it
 * is an article with the component inside, as without a cache.
 */
export function CachedMarkup<V extends object>(props: CachedMarkupProps<V>) {
  const { component: Component, values, times, cacheable, ...attributes } = props;
  const renderMarkup = use(MarkupContext);
  if (renderMarkup && cacheable)
    return (
      <article {...attributes} dangerouslySetInnerHTML={{ __html: renderMarkup(Component, values, times) }} />
    );
  return (
    <article {...attributes}>
      <Component {...values} />
    </article>
  );
}
