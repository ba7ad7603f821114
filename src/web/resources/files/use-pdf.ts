import { type RefObject, useEffect, useRef, useState } from "react";
import { openPdf, type OpenPdf } from "./open-pdf.ts";

export type Pdf = {
  page: number;
  pages: number;
  matches: { current: number; total: number } | null;
  fault: "locked" | "broken" | null;
  turnTo: (page: number) => void;
  zoom: (steps: number) => void;
  /** Searches for words; called again with the same words, shows the next match. */
  find: (words: string, back: boolean) => void;
};

const pageFromHash = (hash: string) => Number(/[#&]page=(\d{1,6})\b/.exec(hash)?.[1] ?? 1);

/** Shows a PDF in a frame, opened at the page in the URL's hash. */
export function usePdf(frame: RefObject<HTMLDivElement | null>, address: string): Pdf {
  const open = useRef<OpenPdf | null>(null);
  const sought = useRef("");
  const [shown, setShown] = useState({ page: 1, pages: 1 });
  const [matches, setMatches] = useState<Pdf["matches"]>(null);
  const [fault, setFault] = useState<Pdf["fault"]>(null);

  useEffect(() => {
    if (!frame.current) return;
    const pdf = openPdf(frame.current, address, pageFromHash(location.hash), {
      turned: (page, pages, byReader) => {
        setShown({ page, pages });
        if (byReader) history.replaceState(history.state, "", `#page=${page}`);
      },
      counted: setMatches,
      failed: setFault,
    });
    open.current = pdf;
    const led = () => location.hash.includes("page=") && pdf.turnTo(pageFromHash(location.hash));
    addEventListener("hashchange", led);
    return () => {
      removeEventListener("hashchange", led);
      open.current = null;
      pdf.close();
    };
  }, [frame, address]);

  return {
    ...shown,
    matches,
    fault,
    turnTo: (page) => open.current?.turnTo(page),
    zoom: (steps) => open.current?.zoom(steps),
    find: (words, back) => {
      if (words === "") setMatches(null);
      open.current?.find(words, { back, again: words === sought.current });
      sought.current = words;
    },
  };
}
