import { Suspense, useState } from "react";
import { lazyPart } from "../client/lazy-part.ts";
import { useRoot } from "../ui/index.ts";
import { useHydrated } from "../ui/use-hydrated.ts";

const SignInDialog = lazyPart(() => import("./sign-in-dialog.tsx"));

/** Signing in over the page one is on: for guests alone, once their page is awake. Who is at it is at it until they are done. */
export function SignInOver() {
  const { me } = useRoot();
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
