import { type ComponentType, lazy } from "react";
import { hasNetwork, waitForNetwork } from "./network-state.ts";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A component fetched when it is first rendered. Without a network it loads when that is back; until then the
 * page stays as it is.
 */
export const lazyComponent = <Props>(load: Load<Props>) => lazy(() => loadWhenOnline(load));

/** Runs `load`; without a network, again once there is one. */
export async function loadWhenOnline<T>(load: () => Promise<T>): Promise<T> {
  for (let next = load; ;) {
    try {
      // Modules fetched before are available without a network.
      return await next();
    } catch (error) {
      if (hasNetwork()) throw error;
      next = retryUnderNewUrl(error) ?? load;
      await waitForNetwork();
    }
  }
}

/** A browser remembers a failed module import and never fetches it again, except under another address. */
function retryUnderNewUrl<T>(error: unknown): (() => Promise<T>) | undefined {
  const [path] = /\/assets\/[\w.-]+\.js/.exec(String(error)) ?? [];
  return path === undefined ? undefined : () => import(/* @vite-ignore */ `${path}?again`) as Promise<T>;
}
