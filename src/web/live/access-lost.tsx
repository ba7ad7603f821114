import { Suspense } from "react";
import { lazyComponent } from "../client/lazy-component.ts";
import type { AccessLostState } from "./use-access-lost.ts";

const AccessLostPage = lazyComponent(() => import("./access-lost-page.tsx"));

/**
 * Replaces content that its reader may not see any more, with their unsent text and a link `to` somewhere
 * else.
 */
export const AccessLost = (it: AccessLostState & { to?: { href: string; name: string } | undefined }) => (
  <Suspense>
    <AccessLostPage {...it} />
  </Suspense>
);
