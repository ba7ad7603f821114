import { useId } from "react";
import { useTranslate } from "../../i18n/index.ts";
import { useListbox } from "../use-listbox.ts";
import type { CommandName } from "./commands.ts";

/** An item of the menu: a command of the editor, or the poll of the form. */
export type MenuCommand = CommandName | "poll" | "link";
type MenuItem = { command: MenuCommand; name: string };

function useMenuItems(form: HTMLFormElement | null): MenuItem[] {
  const t = useTranslate();
  const hasPoll = form?.elements.namedItem("pollOptions") instanceof HTMLTextAreaElement;
  return [
    { command: "heading", name: t("Heading") },
    { command: "list", name: t("List") },
    { command: "numbers", name: t("Numbered list") },
    { command: "checklist", name: t("Checklist") },
    { command: "quote", name: t("Quotation") },
    { command: "codeBlock", name: t("Code block") },
    { command: "spoilerBlock", name: t("Spoiler") },
    { command: "table", name: t("Table") },
    { command: "link", name: t("Link") },
    { command: "rule", name: t("Divider") },
    ...(hasPoll ? [{ command: "poll" as const, name: t("Poll") }] : []),
  ];
}

type MenuProps = {
  field: HTMLElement;
  form: HTMLFormElement | null;
  /** Letters after the slash. */
  typed: string;
  /** Places the list beside the caret. */
  place: (list: HTMLElement | null) => void;
  choose: (command: MenuCommand) => void;
  close: () => void;
};

/** Blocks that can be inserted, below the text after a slash is typed. */
export function CommandMenu({ field, form, typed, place, choose, close }: MenuProps) {
  const t = useTranslate();
  const id = useId();
  const letters = typed.toLocaleLowerCase();
  const found = useMenuItems(form)
    .map((item) => ({ ...item, at: item.name.toLocaleLowerCase().indexOf(letters) }))
    .filter((item) => item.at !== -1)
    .toSorted((a, b) => Number(a.at > 0) - Number(b.at > 0));
  const take = (index: number) => choose(found[index]!.command);
  const at = useListbox({ field, id, count: found.length, take, close });
  return (
    <>
      <p role="status" className="sr-only">
        {t("{count, plural, =0 {No matches} one {# suggestion} other {# suggestions}}", {
          count: found.length,
        })}
      </p>
      {found.length > 0 && (
        <div id={id} role="listbox" tabIndex={-1} aria-label={t("Insert")} className="call-list" ref={place}>
          {found.map(({ command, name }, index) => (
            <div
              key={command}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className="menu-item"
              onPointerDown={(event) => {
                event.preventDefault();
                take(index);
              }}
            >
              {name}
            </div>
          ))}
        </div>
      )}
    </>
  );
}
