import { Suspense, useState } from "react";
import { lazyPart } from "../client/lazy-part.ts";
import { useRoot } from "../ui/index.ts";
import { useHydrated } from "../ui/use-hydrated.ts";

const SignInDialog = lazyPart(() => import("./sign-in-dialog.tsx"));

/** Loads the sign-in dialog for guests after hydration. A dialog that is open stays until it is finished. */
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
