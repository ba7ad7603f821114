import { useEffect, useState } from "react";
import {
  setOfflineCopies,
  countCopies,
  areOfflineCopiesEnabled,
  getOfflineReaderId,
} from "../../client/offline-store.ts";
import { Button } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

type OfflineCopiesState = "unknown" | "unsupported" | "passing" | "off" | number;

async function readOfflineState(): Promise<OfflineCopiesState> {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return "unsupported";
  if (getOfflineReaderId() === null) return "passing";
  return areOfflineCopiesEnabled() ? countCopies() : "off";
}

/** Setting for pages saved on this device for offline reading. It needs scripts. */
export function OfflineCopiesSettings() {
  const t = useTranslate();
  const [here, setHere] = useState<OfflineCopiesState>("unknown");
  useEffect(() => void readOfflineState().then(setHere), []);
  const set = async (keeps: boolean) => {
    await setOfflineCopies(keeps);
    setHere(await readOfflineState());
  };
  return (
    <>
      <p className="text-quiet">
        {t(
          "Pages you read recently stay readable on this device while it is offline: groups, " +
            "discussions and the library, never conversations or settings. They are deleted " +
            "after 14 days, and when you sign out.",
        )}
      </p>
      <noscript>
        <p>{t("Offline reading needs JavaScript in your browser.")}</p>
      </noscript>
      <p role="status" className="empty:hidden">
        {here === "unsupported" && t("This browser does not support offline reading.")}
        {here === "passing" &&
          t("Offline reading needs “Stay signed in on this device”, which you did not choose.")}
        {here === "off" && t("Offline reading is off on this device.")}
        {typeof here === "number" &&
          t("{count, plural, one {# page is available offline.} other {# pages are available offline.}}", {
            count: here,
          })}
      </p>
      {(here === "off" || typeof here === "number") && (
        <Button className="justify-self-start" onClick={() => void set(here === "off")}>
          {here === "off" ? t("Turn on offline reading") : t("Turn off offline reading")}
        </Button>
      )}
    </>
  );
}
