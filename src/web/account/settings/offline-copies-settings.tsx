import { useEffect, useState } from "react";
import { setOfflineCopies, countCopies, savesOfflineCopies, offlineReader } from "../../client/offline-store.ts";
import { Button } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

type OfflineCopiesState = "unknown" | "unsupported" | "passing" | "off" | number;

async function readOfflineState(): Promise<OfflineCopiesState> {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return "unsupported";
  if (offlineReader() === null) return "passing";
  return savesOfflineCopies() ? countCopies() : "off";
}

/** Pages saved on this device for offline reading. Needs scripts, also to switch it off. */
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
          "The last pages you have read stay readable on this device while it has no network: groups, discussions and the library, never conversations or settings. They go after 14 days, and at once when you sign out or somebody else signs in here.",
        )}
      </p>
      <noscript>
        <p>{t("Nothing is kept, since your browser runs no scripts.")}</p>
      </noscript>
      <p role="status" className="empty:hidden">
        {here === "unsupported" && t("This browser cannot keep pages.")}
        {here === "passing" && t("You did not choose to stay signed in on this device, so nothing that you read is kept on it.")}
        {here === "off" && t("Nothing that you read is kept on this device.")}
        {typeof here === "number" &&
          t("{count, plural, one {# page that you have read can be read here.} other {# pages that you have read can be read here.}}", {
            count: here,
          })}
      </p>
      {(here === "off" || typeof here === "number") && (
        <Button className="justify-self-start" onClick={() => void set(here === "off")}>
          {here === "off" ? t("Keep what I read here") : t("Keep nothing on this device")}
        </Button>
      )}
    </>
  );
}
