import { useLocation } from "react-router";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

/** An action. It opens the page `to` or, with `sends`, posts these values to that address. */
export type QuickAction = { label: string; to: string; sends?: Record<string, string> };

/** Actions that the viewer can run from anywhere. */
export function useQuickActions(): QuickAction[] {
  const t = useTranslate();
  const { me, founds } = useRootData();
  const { pathname, search } = useLocation();
  const light = (label: string, theme: string): QuickAction => ({
    label,
    to: urls.display(),
    sends: { theme, back: pathname + search },
  });
  // A limited account cannot create anything, so it gets none of these actions.
  const begin: QuickAction[] = [
    { label: t("Start a discussion"), to: urls.start() },
    { label: t("Write a message"), to: urls.messages({ begin: "1" }) },
    { label: t("Add resource"), to: urls.newResource() },
  ];
  const lights = [
    light(t("Light theme"), "light"),
    light(t("Dark theme"), "dark"),
    light(t("System theme"), "system"),
  ];
  if (!me) return [{ label: t("Sign in"), to: urls.login() }, ...lights];
  return [
    ...(me.state === "active" ? begin : []),
    ...(founds ? [{ label: t("New group"), to: urls.newGroup() }] : []),
    { label: t("Mark all notifications as read"), to: urls.notifications(), sends: { intent: "read-all" } },
    ...lights,
    { label: t("Sign out"), to: urls.logout(), sends: {} },
  ];
}
