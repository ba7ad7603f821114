import { Suspense } from "react";
import { lazyPart } from "../client/lazy-part.ts";
import type { ShutOff } from "./use-shut.ts";

const ShutPage = lazyPart(() => import("./shut-page.tsx"));

/**
 * Replaces content that its reader may not see any more, with their unsent text and a link `to` somewhere
 * else.
 */
export const Shut = (it: ShutOff & { to?: { href: string; name: string } | undefined }) => (
  <Suspense>
    <ShutPage {...it} />
  </Suspense>
);
