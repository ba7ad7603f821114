import { Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { lazyComponent } from "../../client/lazy-component.ts";
import { listenToShortcuts } from "../../client/keyboard-shortcuts.ts";

const DIALOGS = {
  keys: lazyComponent(() => import("./shortcuts-dialog.tsx")),
  palette: lazyComponent(() => import("../../search/command-palette.tsx")),
};

/**
 * Listens to keyboard shortcuts. `?` opens the dialog that lists them and can switch them off; Ctrl or ⌘
 * with K opens the command palette.
 */
export function ShortcutDialogs() {
  const navigate = useNavigate();
  const [shown, setShown] = useState<keyof typeof DIALOGS | null>(null);
  const Sheet = shown && DIALOGS[shown];
  useEffect(
    () =>
      listenToShortcuts({
        go: (to) => void navigate(to),
        showSheet: () => setShown("keys"),
        showPalette: () => setShown("palette"),
      }),
    [navigate],
  );
  return Sheet ? (
    <Suspense>
      <Sheet onClose={() => setShown(null)} />
    </Suspense>
  ) : null;
}
