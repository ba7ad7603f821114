import { type ComponentType, lazy } from "react";
import { hasNetwork, waitForNetwork } from "./network-state.ts";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A component that is fetched when it is first rendered. Without a network it is fetched when the network is
 * back; until then the page does not change.
 */
export const lazyComponent = <Props>(load: Load<Props>) => lazy(() => loadWhenOnline(load));

/** Runs `load`; if that fails without a network, runs it again when the network is back. */
export async function loadWhenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (let next = load; ;) {
    try {
      // A module that was fetched before loads without a network.
      return await next();
    } catch (error) {
      if (hasNetwork()) throw error;
      next = retryUnderNewUrl(error) ?? load;
      await waitForNetwork();
    }
  }
}

/** A browser remembers that a module import has failed and never fetches that address again. */
function retryUnderNewUrl<T>(error: unknown): (() => Promise<T>) | undefined {
  const [path] = /\/assets\/[\w.-]+\.js/.exec(String(error)) ?? [];
  return path === undefined ? undefined : (): Promise<T> => import(/* @vite-ignore */ `${path}?again`);
}
