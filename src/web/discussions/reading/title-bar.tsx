import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { Discussion } from "#community/discussions";
import { lazyComponent } from "../../client/lazy-component.ts";

const TitleBarContent = lazyComponent(() => import("./title-bar-content.tsx"));

/** Pixels at the top of the window that the bar covers. */
const HEIGHT = 48;

/**
 * Bar at the top of the window while the title is off screen. It takes no space in the page, and is loaded when it
 * is first needed. While it has the focus, it stays.
 */
export function TitleBar({ discussion, children }: { discussion: Discussion; children: ReactNode }) {
  const [isTitleAway, setTitleAway] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(([title]) => setTitleAway(!title!.isIntersecting), {
      rootMargin: `-${HEIGHT}px 0px 0px`,
    });
    observer.observe(box.current!.previousElementSibling!.querySelector("h1")!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className="title-bar" onFocus={() => setFocus(true)} onBlur={() => setFocus(false)}>
      {(isTitleAway || hasFocus) && (
        <Suspense fallback={null}>
          <TitleBarContent discussion={discussion}>{children}</TitleBarContent>
        </Suspense>
      )}
    </div>
  );
}
