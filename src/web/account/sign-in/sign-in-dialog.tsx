import { useEffect, useState } from "react";
import { loadOptionalChunk } from "../../client/chunk-guard.ts";
import { useRootData } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { readGuestText, type GuestText } from "./guest-text.ts";
import type SignInModal from "./sign-in-modal.tsx";

/** The modal is loaded as soon as the app has started, so that the dialog opens without delay. */
const loadModal = () => loadOptionalChunk(() => import("./sign-in-modal.tsx"));

type OpenState = { Sheet: typeof SignInModal; text: GuestText };

/**
 * Sign-in dialog over the current page, opened when a guest presses "Sign in" or sends a text. The page
 * keeps its state, and is reloaded as a member's page afterwards. Without scripts, or if the dialog cannot
 * be loaded, sign-in is a separate page.
 */
export default function SignInDialog() {
  const { me } = useRootData();
  const [open, setOpen] = useState<OpenState | null>(null);
  useEffect(() => {
    if (me) return;
    // A failed load is retried when the button is pressed.
    void loadModal().catch(() => {});
    return listenForSignIn((text, otherwise) => {
      void loadModal().then(({ default: Sheet }) => setOpen({ Sheet, text }), otherwise);
    });
  }, [me]);
  return open && <open.Sheet text={open.text} close={() => setOpen(null)} />;
}

/** Opens the dialog; calls `otherwise` if it cannot be loaded. */
type OpenDialog = (text: GuestText, otherwise: () => void) => void;

/**
 * Listens for clicks on "Sign in" and for submitted texts. A click before the app has started was recorded
 * by `guest.js` in the document's `data-sign-in`.
 */
function listenForSignIn(open: OpenDialog): () => void {
  const root = document.documentElement;
  const onClick = (event: MouseEvent) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-sign-in]");
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    open(readGuestText(null), () => location.assign(link.href));
  };
  const onSubmit = (event: SubmitEvent) => {
    const form =
      event.target instanceof HTMLFormElement && event.target.closest<HTMLFormElement>("form[data-composer]");
    if (!form) return;
    event.preventDefault();
    event.stopPropagation();
    open(readGuestText(form), () => form.submit());
  };
  // Listeners on the window in the capture phase run before the router's.
  window.addEventListener("click", onClick, true);
  window.addEventListener("submit", onSubmit, true);
  if (root.dataset["signIn"] === "wanted")
    open(readGuestText(null), () =>
      location.assign(urls.login({ next: location.pathname + location.search })),
    );
  root.dataset["signIn"] = "ready";
  return () => {
    window.removeEventListener("click", onClick, true);
    window.removeEventListener("submit", onSubmit, true);
    delete root.dataset["signIn"];
  };
}
