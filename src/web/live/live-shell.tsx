import { useEffect, useRef, useState } from "react";
import { lineState, onLineState, onNudge } from "../client/live.ts";
import { readAgain } from "../client/read-again.ts";
import type { ShellData } from "../layouts/default.tsx";
import { TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { inOrder } from "./in-order.ts";
import { Soon } from "./soon.ts";
import { useLine } from "./use-line.ts";

/**
 * Milliseconds until counters are fetched again: soon for personal updates, later for those that many people
 * get at once.
 */
const SOON = 400;
const FOR_MANY = /^(post|discussion|notifications|line)$/;
const later = () => TOKENS.liveFigures * (1 + 2 * Math.random());

/** The layout's current counters: the loaded ones until newer ones have been fetched. */
export function useLiveShell(shell: ShellData): ShellData {
  useLine();
  const [read, setRead] = useState<{ after: ShellData; shell: ShellData } | null>(null);
  const latest = useRef(shell);
  useEffect(() => void (latest.current = shell), [shell]);
  const isMember = shell !== null;
  useEffect(() => {
    if (!isMember) return;
    const asking = inOrder();
    const soon = new Soon(async () => {
      const [after, isNews] = [latest.current, asking()];
      const fresh = await readAgain<ShellData>(urls.liveShell(!!after?.conversations));
      if (fresh && fresh !== "shut" && isNews()) setRead({ after, shell: fresh });
    });
    const stop = onNudge(({ about }) => soon.within(FOR_MANY.test(about) ? later() : SOON));
    return () => {
      stop();
      soon.stop();
    };
  }, [isMember]);
  // A navigation loads newer data, so data fetched before it is dropped.
  return read?.after === shell ? read.shell : shell;
}

/** A notice on top while the connection to the server is lost. */
export function LineLost() {
  const t = useWords();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    setLost(lineState() === "lost");
    return onLineState((state) => setLost(state === "lost"));
  }, []);
  if (!lost) return null;
  return (
    <p className="systembar" role="status" data-line>
      {t("You are offline. What you write stays here, and the page catches up when you are back.")}
    </p>
  );
}
