import { ArrowDown, ArrowUp } from "lucide-react";
import { Form } from "react-router";
import type { StartLine } from "#community/groups";
import { LIMITS } from "#community/rules";
import { Act } from "../../people/act.tsx";
import { Empty, FormFaults, SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import { Link } from "../../ui/link.tsx";

/** The shelf of what newcomers read first, and its order. */
export function StartHere({ lines }: { lines: StartLine[] }) {
  const t = useWords();
  return (
    <>
      <h2 className="sr-only">{t("Start here")}</h2>
      {lines.length === 0 && (
        <Empty title={t("Nothing stands here yet.")}>
          {t("What you put here is shown on top of the group: a welcome, the plan, a text that everybody should know.")}
        </Empty>
      )}
      <ol>
        {lines.map((line, index) => (
          <Line key={line.id} line={line} first={index === 0} last={index === lines.length - 1} />
        ))}
      </ol>
      {lines.length < LIMITS.startItems && (
        <Form method="post" className="mt-5 grid gap-3">
          <FormFaults />
          <TextField
            key={lines.length}
            name="address"
            label={t("Address of a discussion or a resource")}
            hint={t("Copy it from the browser. Discussions have “Put under Start here” in their menu, too.")}
            required
            maxLength={500}
            dir="ltr"
            autoComplete="off"
          />
          <div>
            <SubmitButton name="intent" value="start-put" busy={t("Saving…")}>
              {t("Put it here")}
            </SubmitButton>
          </div>
        </Form>
      )}
    </>
  );
}

function Line({ line: { id, kind, targetId, title }, first, last }: { line: StartLine; first: boolean; last: boolean }) {
  const t = useWords();
  const move = (way: "up" | "down", label: string, Icon: typeof ArrowUp) => (
    <Act intent="start-move" fields={{ itemId: id, way }} kind="quiet" busy="…" label={label}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
    </Act>
  );
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 last:border-b-0">
      <span className="min-w-0 flex-1 basis-48">
        <Link to={kind === "discussion" ? urls.discussion(targetId) : urls.resource(targetId)} dir="auto" className="break-words">
          {title}
        </Link>
      </span>
      <span className="flex items-center gap-1">
        {!first && move("up", t("Move up: {title}", { title }), ArrowUp)}
        {!last && move("down", t("Move down: {title}", { title }), ArrowDown)}
        <Act intent="start-take" fields={{ itemId: id }} busy={t("Saving…")} label={t("Take down: {title}", { title })}>
          {t("Take down")}
        </Act>
      </span>
    </li>
  );
}
