import { lazy, Suspense, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { listenToKeys } from "../client/keyboard.ts";

const KeysDialog = lazy(() => import("./keys-dialog.tsx"));

/** Single keys for who likes them; `?` brings the sheet that shows them and switches them off. */
export function KeysSheet() {
  const navigate = useNavigate();
  const [shown, setShown] = useState(false);
  useEffect(() => listenToKeys({ go: (to) => void navigate(to), showSheet: () => setShown(true) }), [navigate]);
  return shown ? (
    <Suspense>
      <KeysDialog onClose={() => setShown(false)} />
    </Suspense>
  ) : null;
}
