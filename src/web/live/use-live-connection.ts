import { useEffect, useState } from "react";
import { openConnection } from "../client/live-state.ts";
import type { LiveConnection } from "../client/live-connection.ts";
import { useRootData } from "../ui/index.ts";

/** Returns the live connection of this window, or null for guests and until it is open. */
export function useLiveConnection(): LiveConnection | null {
  const { me, publicConfig } = useRootData();
  const personId = me?.state === "guest" ? undefined : me?.id;
  const [line, setLine] = useState<LiveConnection | null>(null);
  useEffect(() => {
    if (!personId) return;
    let here = true;
    void openConnection(personId, publicConfig).then((opened) => here && setLine(() => opened));
    return () => void (here = false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- publicConfig does not change
  }, [personId]);
  return line;
}
