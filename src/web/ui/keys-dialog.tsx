import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { keysAreOn, switchKeys } from "../client/keyboard.ts";
import { useWords } from "../words/index.ts";
import { Button } from "./button.tsx";

/** The keys and what they do. It opens with being there; `onClose` hears when it may go. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useWords();
  const sheet = useRef<HTMLDialogElement>(null);
  const [on, setOn] = useState(true);
  useEffect(() => {
    setOn(keysAreOn());
    sheet.current?.showModal();
  }, []);
  const keys: [string, string][] = [
    ["?", t("This sheet")],
    ["/", t("Search")],
    [t("Ctrl K"), t("Search and go, from anywhere")],
    ["j", t("Next post or line")],
    ["k", t("Previous post or line")],
    ["r", t("Reply")],
    ["g h", t("Home")],
    ["g d", t("Discussions")],
    ["g g", t("Groups")],
    ["g m", t("Messages")],
    ["g n", t("Notifications")],
    ["g f", t("Friends")],
    ["g r", t("Resources")],
    [t("Ctrl Enter"), t("Send what you write")],
  ];
  return (
    <dialog ref={sheet} className="sheet" aria-labelledby="keys-title" onClose={onClose}>
      <header className="mb-3 flex items-start justify-between gap-4">
        <h2 id="keys-title" className="font-serif text-title font-semibold">
          {t("Keys")}
        </h2>
        <Button kind="quiet" aria-label={t("Close")} onClick={() => sheet.current?.close()} className="-me-2 -mt-1 px-2">
          <X size={20} strokeWidth={1.75} aria-hidden />
        </Button>
      </header>
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5">
        {keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt className="flex gap-1">
              {key.split(" ").map((part, index) => (
                <kbd key={index} className="min-w-7 rounded-control border border-line bg-sunken px-1.5 text-center font-sans text-small">
                  {part}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="check mt-5 border-t border-line pt-4">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target }) => {
            switchKeys(target.checked);
            setOn(target.checked);
          }}
        />
        <span>
          {t("Single keys do something")}
          <span className="hint block">{t("Switched off, only “?” opens this sheet. It holds for this browser.")}</span>
        </span>
      </label>
    </dialog>
  );
}
