import { type ComponentType, lazy } from "react";
import { hasNetwork, network } from "./network.ts";

/**
 * A part of a page that is fetched when it is first needed. Without a network it comes when that is back: the page stays as it
 * is until then.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) => lazy(() => whenThereIsOne(load));

async function whenThereIsOne<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      // What has been fetched before is there without a network, too.
      return await load();
    } catch (error) {
      if (hasNetwork()) throw error;
      await network();
    }
  }
}
