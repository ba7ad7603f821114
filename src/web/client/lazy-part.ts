import { type ComponentType, lazy } from "react";
import { hasNetwork, network } from "./network.ts";

/**
 * A part of a page that is fetched when it is first needed. Without a network it comes when that is back: the page stays as it
 * is until then.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever a component takes, this hands it on
export const lazyPart = <Part extends ComponentType<any>>(load: () => Promise<{ default: Part }>) => lazy(() => whenThereIsOne(load));

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
