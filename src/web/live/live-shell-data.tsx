import { useEffect, useRef, useState } from "react";
import { getConnectionState, onConnectionState, onViewerUpdate } from "../client/live-state.ts";
import { fetchLiveData } from "../client/fetch-live-data.ts";
import type { ShellData } from "../layouts/default.tsx";
import { DESIGN_TOKENS } from "../tokens.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { createResponseOrder } from "./response-order.ts";
import { DelayedTask } from "./delayed-task.ts";
import { useLiveConnection } from "./use-live-connection.ts";

/**
 * Milliseconds until counters are fetched again: short for updates of one person, longer (and random) for
 * updates that many people receive at the same time.
 */
const PERSONAL_DELAY = 400;
const SHARED_UPDATES = /^(post|discussion|notifications|line)$/;
const sharedDelay = () => DESIGN_TOKENS.liveFigures * (1 + 2 * Math.random());

/** Returns the layout's counters: as loaded, until newer ones have been fetched. */
export function useLiveShell(shell: ShellData): ShellData {
  useLiveConnection();
  const [read, setRead] = useState<{ after: ShellData; shell: ShellData } | null>(null);
  const latest = useRef(shell);
  useEffect(() => void (latest.current = shell), [shell]);
  const isMember = shell !== null;
  useEffect(() => {
    if (!isMember) return;
    const asking = createResponseOrder();
    const soon = new DelayedTask(async () => {
      const [after, isNews] = [latest.current, asking()];
      const fresh = await fetchLiveData<ShellData>(urls.liveShell(!!after?.conversations));
      if (fresh && fresh !== "shut" && isNews()) setRead({ after, shell: fresh });
    });
    const stop = onViewerUpdate(({ about }) => {
      // Updates of the calendar and of cases change no counter here.
      if (about !== "calendar" && about !== "report")
        soon.within(SHARED_UPDATES.test(about) ? sharedDelay() : PERSONAL_DELAY);
    });
    return () => {
      stop();
      soon.stop();
    };
  }, [isMember]);
  // Drops data fetched before a navigation, since the navigation has loaded newer data.
  return read?.after === shell ? read.shell : shell;
}

/** A notice on top while the connection to the server is lost. */
export function ConnectionLostNotice() {
  const t = useTranslate();
  const [lost, setLost] = useState(false);
  useEffect(() => {
    setLost(getConnectionState() === "lost");
    return onConnectionState((state) => setLost(state === "lost"));
  }, []);
  if (!lost) return null;
  return (
    <p className="systembar" role="status" data-line>
      {t("You're offline. Your text stays here; the page updates when you are back.")}
    </p>
  );
}
