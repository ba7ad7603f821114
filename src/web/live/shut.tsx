import { Suspense } from "react";
import { lazyPart } from "../client/lazy-part.ts";
import type { ShutOff } from "./use-shut.ts";

const ShutPage = lazyPart(() => import("./shut-page.tsx"));

/** In the place of what is not open to its reader any more: with what they were writing, and the way `to` somewhere else. */
export const Shut = (it: ShutOff & { to?: { href: string; name: string } | undefined }) => (
  <Suspense>
    <ShutPage {...it} />
  </Suspense>
);
