import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { lazyComponent } from "../client/lazy-component.ts";

const HoverCard = lazyComponent(() => import("./hover-card.tsx"));

/** Milliseconds of hovering before the card appears. */
const HOVER_DELAY = 450;
const PROFILE_PATH = /^\/users\/([0-9a-f-]{36})$/;

export type HoverTarget = { id: string; link: HTMLAnchorElement; byKey: boolean };

const PROFILE_LINKS = "main a[href^='/users/']";

/**
 * Calls `point` and `leave`. The first call is immediate, since the pointer or the focus may have been on a
 * name before hydration.
 */
function listenForHover(
  point: (target: EventTarget | null, byKey: boolean) => void,
  leave: () => void,
): () => void {
  const onPointer = ({ target, pointerType }: PointerEvent) =>
    pointerType === "mouse" && point(target, false);
  const onFocus = ({ target }: FocusEvent) =>
    target instanceof Element && target.matches(":focus-visible") && point(target, true);
  const under = matchMedia("(hover: hover)").matches
    ? document.querySelector(`${PROFILE_LINKS}:hover`)
    : null;
  point(under ?? document.querySelector(`${PROFILE_LINKS}:focus-visible`), !under);
  document.addEventListener("pointerover", onPointer);
  document.addEventListener("focusin", onFocus);
  document.addEventListener("pointerdown", leave);
  return () => {
    leave();
    document.removeEventListener("pointerover", onPointer);
    document.removeEventListener("focusin", onFocus);
    document.removeEventListener("pointerdown", leave);
  };
}

/**
 * Shows a card for any link to a person under the mouse pointer or focus. Links need no code for it, and the
 * card is loaded when first needed. On touch screens a tap opens the profile instead.
 */
export default function HoverCards() {
  const [at, setAt] = useState<HoverTarget | null>(null);
  /** A link whose card was closed opens no card again until another link was hovered. */
  const closed = useRef<HTMLAnchorElement | null>(null);
  const opened = useRef<HTMLAnchorElement | null>(null);
  const close = useCallback(() => {
    closed.current = opened.current;
    setAt(null);
  }, []);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const leave = () => clearTimeout(waiting);
    const point = (target: EventTarget | null, byKey: boolean) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>(PROFILE_LINKS) : null;
      const id = link && PROFILE_PATH.exec(link.pathname)?.[1];
      leave();
      if (link !== closed.current) closed.current = null;
      if (!link || !id || closed.current || link.closest("[data-person-card]")) return;
      waiting = setTimeout(() => {
        opened.current = link;
        setAt({ id, link, byKey });
      }, HOVER_DELAY);
    };
    return listenForHover(point, leave);
  }, []);
  if (!at) return null;
  return (
    <Suspense fallback={null}>
      <HoverCard key={at.id} at={at} close={close} />
    </Suspense>
  );
}
