import { useEffect, useState } from "react";
import { choose, countKept, keepsPages, readerHere } from "../../client/kept-store.ts";
import { Button } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";

type Here = "unknown" | "unsupported" | "passing" | "off" | number;

async function look(): Promise<Here> {
  if (!("serviceWorker" in navigator) || !("caches" in window)) return "unsupported";
  if (readerHere() === null) return "passing";
  return keepsPages() ? countKept() : "off";
}

/** Pages saved on this device for offline reading. Needs scripts, also to switch it off. */
export function KeptHere() {
  const t = useWords();
  const [here, setHere] = useState<Here>("unknown");
  useEffect(() => void look().then(setHere), []);
  const set = async (keeps: boolean) => {
    await choose(keeps);
    setHere(await look());
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
