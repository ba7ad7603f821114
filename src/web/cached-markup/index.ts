export { CachedMarkup, MarkupRendererProvider } from "./cached-markup.tsx";
