import { Suspense, useState } from "react";
import { lazyComponent } from "../../client/lazy-component.ts";
import { useRootData } from "../../ui/index.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";

const SignInDialog = lazyComponent(() => import("./sign-in-dialog.tsx"));

/**
 * Loads the sign-in dialog for guests after hydration, and leaves it mounted after signing in, until it is
 * finished.
 */
export function LazySignInDialog() {
  const { me } = useRootData();
  const hydrated = useHydrated();
  const [guest, setGuest] = useState(!me);
  if (!me && !guest) setGuest(true);
  return (
    hydrated &&
    guest && (
      <Suspense>
        <SignInDialog />
      </Suspense>
    )
  );
}
