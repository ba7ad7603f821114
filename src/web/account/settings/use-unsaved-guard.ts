import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { useTranslate } from "../../i18n/index.ts";

/** Asks for confirmation before leaving a page with unsaved changes. */
export function useUnsavedGuard() {
  const t = useTranslate();
  const changed = useRef(new Set<HTMLFormElement>());
  useEffect(() => {
    const forms = changed.current;
    const formOf = (event: Event) =>
      event.target instanceof Element
        ? event.target.closest<HTMLFormElement>("main form[method=post]")
        : null;
    const onInput = (event: Event) => void (formOf(event) && forms.add(formOf(event)!));
    const onDone = (event: Event) =>
      void (event.target instanceof HTMLFormElement && forms.delete(event.target));
    const onLeave = (event: BeforeUnloadEvent) => forms.size > 0 && event.preventDefault();
    document.addEventListener("input", onInput);
    document.addEventListener("submit", onDone);
    document.addEventListener("reset", onDone);
    window.addEventListener("beforeunload", onLeave);
    return () => {
      document.removeEventListener("input", onInput);
      document.removeEventListener("submit", onDone);
      document.removeEventListener("reset", onDone);
      window.removeEventListener("beforeunload", onLeave);
    };
  }, []);
  const words = t("You have unsaved changes. Leave anyway?");
  useBlocker(({ currentLocation, nextLocation }) => {
    const stays = currentLocation.pathname === nextLocation.pathname;
    return !stays && changed.current.size > 0 && !window.confirm(words);
  });
}
