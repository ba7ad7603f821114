import { type ComponentType, createElement, lazy } from "react";
import { hasNetwork, network } from "./network.ts";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/**
 * A part of a page that is fetched when it is first needed. Without a network it comes when that is back: the page stays as it
 * is until then.
 */
export const lazyPart = <Props>(load: Load<Props>) => lazy(() => whenThereIsOne(load));

const coming: Promise<unknown>[] = [];

/**
 * A part that few pages have, and which the house writes into those, too: there it is at hand at once. A browser fetches it with
 * them. What asks for it shall stand in the address, in the answer to a deed or in what is told live: the page is kept as it is until the
 * part is there.
 */
export function seldomPart<Props extends object>(load: Load<Props>): ComponentType<Props> {
  if (typeof document !== "undefined") return lazyPart(load);
  let part: ComponentType<Props> | undefined;
  coming.push(load().then((it) => (part = it.default)));
  return (props) => createElement(part!, props);
}

/** In the house: resolves once all such parts are at hand, and at once from then on. */
export const seldomParts = async () => void (coming.length > 0 && (await Promise.all(coming.splice(0))));

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
