import { useEffect, useRef, useState } from "react";
import { areShortcutsOn, switchShortcuts } from "../../client/keyboard-shortcuts.ts";
import { useTranslate } from "../../i18n/index.ts";
import { Button } from "../forms/button.tsx";

type Shortcuts = [key: string, does: string][];

/** Dialog that lists the keyboard shortcuts. It opens on mount and calls `onClose` when it is closed. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslate();
  const sheet = useRef<HTMLDialogElement>(null);
  const groups = useShortcuts();
  useEffect(() => sheet.current?.showModal(), []);
  return (
    <dialog ref={sheet} className="sheet keys" aria-labelledby="keys-title" onClose={onClose}>
      <header className="mb-3 flex items-start justify-between gap-4">
        <h2 id="keys-title" className="font-serif text-title font-semibold">
          {t("Keys")}
        </h2>
        <Button
          kind="quiet"
          aria-label={t("Close")}
          onClick={() => sheet.current?.close()}
          className="-me-2 -mt-1 px-2"
        >
          <i className="icon icon-x size-5" />
        </Button>
      </header>
      <div className="mb-4 gap-x-8 phone:columns-2">
        {groups.map(([where, keys]) => (
          <div key={where} className="mb-4 break-inside-avoid">
            <h3 className="mb-1.5 text-small font-semibold text-quiet">{where}</h3>
            <ShortcutList keys={keys} />
          </div>
        ))}
      </div>
      <ShortcutsSwitch />
    </dialog>
  );
}

/** All shortcuts, grouped by where they work. */
function useShortcuts(): [where: string, keys: Shortcuts][] {
  const t = useTranslate();
  return [
    [
      t("Everywhere"),
      [
        ["?", t("This list")],
        ["/", t("Search")],
        [t("Ctrl K"), t("Search and go to")],
        ["n", t("Next unread discussion")],
        ["p", t("Next unread conversation")],
        ["c", t("Create")],
      ],
    ],
    [
      t("Posts and lists"),
      [
        ["j", t("Next post or item")],
        ["k", t("Previous post or item")],
        ["o", t("Open", undefined, "verb")],
        ["r", t("Reply")],
        ["l", t("Thumbs up")],
        ["e", t("Edit")],
        ["b", t("Bookmark…")],
        ["u", t("Mark unread from here")],
        ["c", t("Claim the selected case")],
        ["a", t("Decide the selected case")],
        ["x", t("Check the selected case")],
      ],
    ],
    [
      t("While writing"),
      [
        [t("Ctrl Enter"), t("Send")],
        [t("Esc"), t("Leave editor")],
      ],
    ],
    [
      t("Go to"),
      [
        ["g h", t("Home")],
        ["g d", t("Discussions")],
        ["g g", t("Groups")],
        ["g m", t("Messages")],
        ["g n", t("Notifications")],
        ["g f", t("Friends")],
        ["g r", t("Resources")],
      ],
    ],
  ];
}

const ShortcutList = ({ keys }: { keys: Shortcuts }) => (
  <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5">
    {keys.map(([key, does]) => (
      <div key={key} className="contents">
        <dt className="flex gap-1">
          {key.split(" ").map((part, index) => (
            <kbd
              key={index}
              className="min-w-7 rounded-control border border-line bg-sunken px-1.5 text-center font-sans text-small"
            >
              {part}
            </kbd>
          ))}
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
);

function ShortcutsSwitch() {
  const t = useTranslate();
  const [on, setOn] = useState(true);
  useEffect(() => setOn(areShortcutsOn()), []);
  return (
    <label className="check border-t border-line pt-4">
      <input
        type="checkbox"
        checked={on}
        onChange={({ target }) => {
          switchShortcuts(target.checked);
          setOn(target.checked);
        }}
      />
      <span>
        {t("Enable single-key shortcuts")}
        <span className="hint block">
          {t("When off, only “?” opens this list. Applies to this browser.")}
        </span>
      </span>
    </label>
  );
}
