import { useEffect, useState } from "react";
import { openLine } from "../client/live.ts";
import type { Line } from "../client/live-line.ts";
import { useRoot } from "../ui/index.ts";

/** The live connection of this window, once it is open; null for guests, and if there is none. */
export function useLine(): Line | null {
  const { me, publicConfig } = useRoot();
  const personId = me?.state === "guest" ? undefined : me?.id;
  const [line, setLine] = useState<Line | null>(null);
  useEffect(() => {
    if (!personId) return;
    let here = true;
    void openLine(personId, publicConfig).then((opened) => here && setLine(() => opened));
    return () => void (here = false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the keys of a house do not change under an open page
  }, [personId]);
  return line;
}
