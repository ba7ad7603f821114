import { useEffect, useId, useRef, useState } from "react";
import { useNavigate, useSubmit } from "react-router";
import { isInputMethodKey } from "../client/input-method.ts";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { type BrowserSearch, createBrowserSearch } from "./browser-search.ts";
import { type PaletteItem, usePaletteItems } from "./palette-items.ts";
import { rankPaletteItems } from "./rank-palette-items.ts";
import { useSearchLabels } from "./search-labels.ts";

const KINDS = ["people", "groups", "events", "discussions", "resources"];
const HITS_PER_KIND = 4;
/** Milliseconds without a keystroke before a search. */
const TYPING_PAUSE = 120;
const MIN_LENGTH = 2;

/**
 * Command palette: pages and actions by name, and search hits while typing, the best match first. Arrow keys
 * select, Enter opens.
 */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useTranslate();
  const navigate = useNavigate();
  const submit = useSubmit();
  const { kind } = useSearchLabels();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [typed, setTyped] = useState("");
  // Null until a key or the pointer selects an item: then the first is selected. Hits that arrive later do not
  // change the selected item.
  const [chosen, setChosen] = useState<string | null>(null);
  const found = usePaletteSearch(typed);
  const places = usePaletteItems(typed);
  useEffect(() => dialog.current?.showModal(), []);
  const words = typed.trim();
  const everything: PaletteItem[] =
    words === ""
      ? []
      : [
          {
            key: "all",
            kind: "",
            label: t("Search everything for “{words}”", { words }),
            to: urls.search({ q: words }),
          },
        ];
  const lines: PaletteItem[] = [...rankPaletteItems([...places, ...found], words), ...everything];
  const at = Math.max(
    0,
    lines.findIndex(({ key }) => key === chosen),
  );
  const go = (line: PaletteItem | undefined) => {
    if (!line) return;
    dialog.current?.close();
    void (line.sends ? submit(line.sends, { method: "post", action: line.to }) : navigate(line.to));
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (isInputMethodKey(event.nativeEvent)) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) setChosen(lines.at((at + by) % Math.max(1, lines.length))?.key ?? null);
    else if (event.key === "Enter") go(lines[at]);
    else return;
    event.preventDefault();
  };
  const names: Record<string, string> = {
    places: t("Go to"),
    deeds: t("Actions"),
    "": t("Search", undefined, "noun"),
  };
  const nameOf = (line: PaletteItem) => names[line.kind] ?? kind(line.kind);
  return (
    <dialog ref={dialog} className="sheet palette" aria-label={t("Search and go to")} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label={t("Search and go to")}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={lines[at] && `${list}-${at}`}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        className="input"
        placeholder={t("People, groups, events, discussions, resources")}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        id={list}
        role="listbox"
        tabIndex={-1}
        aria-label={t("Search and go to")}
        className="palette-lines"
      >
        {lines.map((line, i) => (
          <div
            key={line.key}
            id={`${list}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            ref={i === at ? scrollIntoView : undefined}
            className="palette-line"
            onPointerDown={(event) => {
              event.preventDefault();
              go(line);
            }}
            onPointerMove={() => setChosen(line.key)}
          >
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {line.label}
            </span>
            <span className="text-small text-quiet">{nameOf(line)}</span>
          </div>
        ))}
      </div>
      <p role="status" className="sr-only">
        {words === ""
          ? ""
          : t("{count, plural, =0 {Nothing found} one {# result} other {# results}}", {
              count: lines.length - everything.length,
            })}
      </p>
      <p className="hint mt-2">{t("Arrow keys select, Enter opens, Escape closes.")}</p>
    </dialog>
  );
}

const scrollIntoView = (line: HTMLElement | null) => line?.scrollIntoView({ block: "nearest" });

/**
 * Returns search hits for the typed text, shortly after the last keystroke. If the search fails, the palette
 * still has the link to the search page.
 */
function usePaletteSearch(typed: string): PaletteItem[] {
  const { publicConfig } = useRootData();
  const search = useRef<BrowserSearch | null>(null);
  const [found, setFound] = useState<PaletteItem[]>([]);
  useEffect(() => {
    const query = typed.trim();
    let over = false;
    const ask = async () => {
      search.current ??= createBrowserSearch(publicConfig);
      const answers =
        query.length < MIN_LENGTH
          ? []
          : await search.current.ask(
              KINDS.map((indexName) => ({
                indexName,
                query,
                hitsPerPage: HITS_PER_KIND,
                attributesToHighlight: [],
                // The next date of each series that is not over.
                ...(indexName === "events" && { filters: `endsAt > ${Date.now()}`, distinct: true }),
              })),
            );
      if (!over)
        setFound(
          answers.flatMap(({ hits }, i) =>
            hits.map((it) => ({ key: it.objectID, kind: KINDS[i]!, label: it.title, to: it.url })),
          ),
        );
    };
    const timer = setTimeout(() => void ask().catch(() => over || setFound([])), TYPING_PAUSE);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [typed, publicConfig]);
  return found;
}
