import { Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { lazyPart } from "../client/lazy-part.ts";
import { listenToKeys } from "../client/keyboard.ts";

const SHEETS = { keys: lazyPart(() => import("./keys-dialog.tsx")), palette: lazyPart(() => import("../search/palette.tsx")) };

/**
 * Listens to keyboard shortcuts; `?` opens the list of them with its switch, Ctrl or ⌘ with K the command
 * palette.
 */
export function KeysSheet() {
  const navigate = useNavigate();
  const [shown, setShown] = useState<keyof typeof SHEETS | null>(null);
  const Sheet = shown && SHEETS[shown];
  useEffect(
    () => listenToKeys({ go: (to) => void navigate(to), showSheet: () => setShown("keys"), showPalette: () => setShown("palette") }),
    [navigate],
  );
  return Sheet ? (
    <Suspense>
      <Sheet onClose={() => setShown(null)} />
    </Suspense>
  ) : null;
}
