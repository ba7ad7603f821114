import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../ui/index.ts";

type ActionForm = {
  /** Intent for the page's action. */
  intent: string;
  /** Hidden fields that name the object of the action. */
  fields: Record<string, string>;
  children: ReactNode;
  busy: string;
  kind?: "plain" | "primary" | "quiet" | "danger";
  /** Whether the button is a menu item. */
  inMenu?: boolean;
  /** Accessible label, if the button's text does not name the person. */
  label?: string;
  action?: string;
};

/** One action as a button in a separate form. Only the pressed button is shown as busy. */
export function ActionForm({
  intent,
  fields,
  children,
  busy,
  kind = "plain",
  inMenu = false,
  label,
  action,
}: ActionForm) {
  const { formData, state } = useNavigation();
  const sent =
    state !== "idle" &&
    [["intent", intent], ...Object.entries(fields)].every(([name, value]) => formData?.get(name!) === value);
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

/** A menu action that cannot easily be undone: its consequence is shown before it can be confirmed. */
export const ConfirmActionForm = ({
  ask,
  consequence,
  ...act
}: Omit<ActionForm, "inMenu" | "kind"> & { ask: ReactNode; consequence: string }) => (
  <details className="group/confirm">
    <summary className="menu-item text-red">{ask}</summary>
    <p className="max-w-64 px-2.5 pt-1 text-small text-quiet">{consequence}</p>
    <ActionForm {...act} inMenu kind="danger" />
  </details>
);
