import { registerHooks } from "node:module";

/**
 * Makes this thread import modules from sources that were read beforehand, so that a file saved during
 * loading is not imported half-written. Resolves `#extensions` to the host's API wherever the folder is.
 */
export function registerModuleResolver(sources: Record<string, string>, apiUrl: string): void {
  const known = new Map(Object.entries(sources));
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "#extensions") return { url: apiUrl, shortCircuit: true };
      const url =
        specifier.startsWith(".") && context.parentURL
          ? new URL(specifier, context.parentURL).href
          : specifier;
      return known.has(url) ? { url, shortCircuit: true } : next(specifier, context);
    },
    load(url, context, next) {
      const source = known.get(url);
      if (source === undefined) return next(url, context);
      return { format: /\.[cm]?js$/.test(url) ? "module" : "module-typescript", source, shortCircuit: true };
    },
  });
}
