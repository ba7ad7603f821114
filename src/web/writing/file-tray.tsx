import { useEffect, useRef, useState } from "react";
import { type Fault, sendFile } from "../resources/sending-files.ts";
import { Button } from "../ui/button.tsx";
import { useWords } from "../words/index.ts";
import { useGoingAlong } from "./use-going-along.ts";

type Chosen = { id: number; file: File };
type Props = { chosen: Chosen[]; done: (id: number) => void };

/** Uploads below the field, with their progress. A finished one becomes a link in the text. */
export default function FileTray({ chosen, done }: Props) {
  return (
    <ul className="mt-2 grid gap-2">
      {chosen.map(({ id, file }) => (
        <OnItsWay key={id} file={file} done={() => done(id)} />
      ))}
    </ul>
  );
}

type State = { share: number } | { fault: Fault } | { id: string };

function OnItsWay({ file, done }: { file: File; done: () => void }) {
  const t = useWords();
  const box = useRef<HTMLLIElement>(null);
  const [state, setState] = useState<State>({ share: 0 });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    setState({ share: 0 });
    return sendFile(file, (told) => {
      if (told.share !== undefined) return setState({ share: told.share });
      if ("fault" in told) return setState({ fault: told.fault });
      setState({ id: told.id });
    });
  }, [file, tries]);
  const put = () => {
    if (!("id" in state)) return;
    putLink(box.current?.closest("form")?.elements.namedItem("body"), file.name, state.id);
    done();
  };
  const waited = useGoingAlong(box, "id" in state ? "there" : "fault" in state ? "failed" : "going", put);
  // A file is described by its name, so its link is inserted at once.
  useEffect(() => {
    if ("id" in state && !waited) put();
  });
  return (
    <li ref={box} className="rounded-control border border-line p-3">
      <p dir="auto" className="truncate text-small font-semibold">
        {file.name}
      </p>
      {"fault" in state ? (
        <p role="alert" className="fault">
          {state.fault.sentence ?? t("That did not arrive. Please try again.")}
        </p>
      ) : (
        <progress
          className="w-full"
          max={1}
          value={"share" in state ? state.share : 1}
          aria-label={t("Sending {name}", { name: file.name })}
        />
      )}
      {waited && (
        <p role="status" className="hint">
          {t("Your text is sent as soon as this is there.")}
        </p>
      )}
      <p className="mt-2 flex flex-wrap gap-2">
        {"fault" in state && <Button onClick={() => setTries(tries + 1)}>{t("Try again")}</Button>}
        <Button onClick={done}>{t("Cancel")}</Button>
      </p>
    </li>
  );
}

function putLink(field: Element | RadioNodeList | null | undefined, name: string, id: string) {
  if (!(field instanceof HTMLTextAreaElement)) return;
  const before = field.value.slice(0, field.selectionStart);
  const gap = before === "" || /\s$/.test(before) ? "" : "\n";
  field.setRangeText(`${gap}[${name.replace(/[[\]\n\\]/g, " ").trim()}](/files/${id})\n`, before.length, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}
