import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { lazyPart } from "../client/lazy-part.ts";

const HoverCard = lazyPart(() => import("./hover-card.tsx"));

/** How long somebody points at a name before they are told more. */
const PAUSE = 450;
const NAME = /^\/users\/([0-9a-f-]{36})$/;

export type PointedAt = { id: string; link: HTMLAnchorElement; byKey: boolean };

const LINK = "main a[href^='/users/']";

/** Says what is pointed at, beginning with what is already: a hand may rest on a name, or the focus be there, before this has come. */
function listen(point: (target: EventTarget | null, byKey: boolean) => void, leave: () => void): () => void {
  const onPointer = ({ target, pointerType }: PointerEvent) => pointerType === "mouse" && point(target, false);
  const onFocus = ({ target }: FocusEvent) => target instanceof Element && target.matches(":focus-visible") && point(target, true);
  const under = matchMedia("(hover: hover)").matches ? document.querySelector(`${LINK}:hover`) : null;
  point(under ?? document.querySelector(`${LINK}:focus-visible`), !under);
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
 * Tells more of whoever is pointed at, with a mouse or by focus: any link to a person, wherever it stands. Names cost a page
 * nothing for it: this comes when the page is awake, what shows the card when the first one is asked for. A finger opens the
 * profile itself.
 */
export default function HoverCards() {
  const [at, setAt] = useState<PointedAt | null>(null);
  /** A card that was closed stays closed until something else has been pointed at. */
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
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>(LINK) : null;
      const id = link && NAME.exec(link.pathname)?.[1];
      leave();
      if (link !== closed.current) closed.current = null;
      if (!link || !id || closed.current || link.closest("[data-person-card]")) return;
      waiting = setTimeout(() => {
        opened.current = link;
        setAt({ id, link, byKey });
      }, PAUSE);
    };
    return listen(point, leave);
  }, []);
  if (!at) return null;
  return (
    <Suspense fallback={null}>
      <HoverCard key={at.id} at={at} close={close} />
    </Suspense>
  );
}
