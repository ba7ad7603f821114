import { useEffect } from "react";

const SAID = /^\(\d+\) /;

/** Says in the title of the tab, and on the icon of an installed app, how many notifications have not been shown yet. */
export function useBell(count: number): void {
  useEffect(() => {
    const say = () => {
      const title = document.title.replace(SAID, "");
      const wanted = count > 0 ? `(${count}) ${title}` : title;
      if (document.title !== wanted) writeTitle(wanted);
    };
    say();
    // Each page brings a title of its own.
    const watch = new MutationObserver(say);
    watch.observe(document.head, { subtree: true, childList: true, characterData: true });
    return () => watch.disconnect();
  }, [count]);
  useEffect(() => {
    // Where it may not be set, nothing is lost but a number on an icon.
    void (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.())?.catch(() => {});
  }, [count]);
}

/** Into the text that stands there: another one in its place would be none of the page's, which writes the next title into its own. */
function writeTitle(title: string): void {
  const text = document.querySelector("title")?.firstChild;
  if (text instanceof Text) text.data = title;
}
