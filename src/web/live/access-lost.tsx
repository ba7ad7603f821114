import { Suspense } from "react";
import { lazyComponent } from "../client/lazy-component.ts";
import type { AccessLostState } from "./use-access-lost.ts";

const AccessLostPage = lazyComponent(() => import("./access-lost-page.tsx"));

/**
 * Shown instead of content that the reader may no longer see, with their unsent text. `to` is a link to
 * another page.
 */
export const AccessLost = (it: AccessLostState & { to?: { href: string; name: string } | undefined }) => (
  <Suspense>
    <AccessLostPage {...it} />
  </Suspense>
);
