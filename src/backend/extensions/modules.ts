import { registerHooks } from "node:module";

/**
 * Has this thread take modules from sources that were read once, so that a file that is changed meanwhile is not half there; and
 * `#extensions` from the house, wherever the folder lies.
 */
export function resolveWithin(sources: Record<string, string>, door: string): void {
  const known = new Map(Object.entries(sources));
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === "#extensions") return { url: door, shortCircuit: true };
      const url = specifier.startsWith(".") && context.parentURL ? new URL(specifier, context.parentURL).href : specifier;
      return known.has(url) ? { url, shortCircuit: true } : next(specifier, context);
    },
    load(url, context, next) {
      const source = known.get(url);
      if (source === undefined) return next(url, context);
      return { format: /\.[cm]?js$/.test(url) ? "module" : "module-typescript", source, shortCircuit: true };
    },
  });
}
