import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../ui/index.ts";

type Act = {
  /** The verb that the page's action is asked for, and what it is done to. */
  intent: string;
  fields: Record<string, string>;
  children: ReactNode;
  busy: string;
  kind?: "plain" | "primary" | "quiet" | "danger";
  /** For a line in a menu. */
  inMenu?: boolean;
  /** What the button does, where its words alone do not say to whom. */
  label?: string;
  action?: string;
};

/** One deed as one button with a form of its own. Only the button that was pressed says that it is busy. */
export function Act({ intent, fields, children, busy, kind = "plain", inMenu = false, label, action }: Act) {
  const { formData, state } = useNavigation();
  const sent = state !== "idle" && [["intent", intent], ...Object.entries(fields)].every(([name, value]) => formData?.get(name!) === value);
  const rest = { "aria-label": label, "aria-busy": sent || undefined, "aria-disabled": sent || undefined };
  return (
    <Form
      method="post"
      action={action}
      preventScrollReset
      className={inMenu ? undefined : "inline-flex"}
      onSubmit={(event) => sent && event.preventDefault()}
    >
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {inMenu ? (
        <button type="submit" {...rest} className={`menu-item ${kind === "danger" ? "text-red" : ""}`}>
          {sent ? busy : children}
        </button>
      ) : (
        <Button type="submit" kind={kind} {...rest}>
          {sent ? busy : children}
        </Button>
      )}
    </Form>
  );
}

/** A deed in a menu that cannot be taken back by itself: first it says what it would do. */
export const ConfirmAct = ({ ask, consequence, ...act }: Omit<Act, "inMenu" | "kind"> & { ask: ReactNode; consequence: string }) => (
  <details className="group/confirm">
    <summary className="menu-item text-red">{ask}</summary>
    <p className="max-w-64 px-2.5 pt-1 text-small text-quiet">{consequence}</p>
    <Act {...act} inMenu kind="danger" />
  </details>
);
