import { useEffect } from "react";

const COUNT_PREFIX = /^\(\d+\) /;

/** Shows the number of unseen notifications in the tab's title and on the icon of an installed app. */
export function useUnreadBadge(count: number): void {
  useEffect(() => {
    const updateBadge = () => {
      const title = document.title.replace(COUNT_PREFIX, "");
      const wanted = count > 0 ? `(${count}) ${title}` : title;
      if (document.title !== wanted) setTitleText(wanted);
    };
    updateBadge();
    // Each page sets its own title, so the number is added again after every change.
    const watch = new MutationObserver(updateBadge);
    watch.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => watch.disconnect();
  }, [count]);
  useEffect(() => {
    // Without permission the browser rejects this, and only the number on the icon is missing.
    void (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {});
  }, [count]);
}

/** Changes the existing text node instead of replacing it: React writes the next title into that node. */
function setTitleText(title: string): void {
  const text = document.querySelector("title")?.firstChild;
  if (text instanceof Text) text.data = title;
}
