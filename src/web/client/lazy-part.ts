import { type ComponentType, lazy } from "react";
import { hasNetwork, network } from "./network.ts";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A part of a page that is fetched when it is first needed. Without a network it comes when that is back: the page stays as it
 * is until then.
 */
export const lazyPart = <Props>(load: Load<Props>) => lazy(() => whenThereIsOne(load));

/** What is fetched, or, without a network, what is fetched once there is one again. */
export async function whenThereIsOne<T>(load: () => Promise<T>): Promise<T> {
  for (let next = load; ;) {
    try {
      // What has been fetched before is there without a network, too.
      return await next();
    } catch (error) {
      if (hasNetwork()) throw error;
      next = anew(error) ?? load;
      await network();
    }
  }
}

/** A browser that could not fetch a script says so for ever, and never asks for it again: by another name it does. */
function anew<T>(error: unknown): (() => Promise<T>) | undefined {
  const [path] = /\/assets\/[\w.-]+\.js/.exec(String(error)) ?? [];
  return path === undefined ? undefined : () => import(/* @vite-ignore */ `${path}?again`) as Promise<T>;
}
