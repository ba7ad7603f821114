import { type FormEvent, useEffect, useState } from "react";
import { Form, useSubmit } from "react-router";
import { Button, SubmitButton, Tag, Time } from "../../../ui/index.ts";
import { Rich, useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps } from "../settings-data.ts";
import {
  getSubscriptionMark,
  type PushState,
  getPushState,
  disablePush,
  enablePush,
} from "./push-subscription.ts";

/** Push notifications of this and other browsers. Enabling needs scripts; disabling does not. */
export function PushSettings({ data }: SettingsSectionProps<"notifications">) {
  const t = useTranslate();
  const [mark, setMark] = useState<string | null>(null);
  const here = data.pushDevices.find((it) => it.mark === mark);
  return (
    <>
      <p className="text-quiet">{t("Notifications from your browser, even while this page is closed.")}</p>
      <ThisBrowser vapidKey={data.vapidKey} on={here !== undefined} onMark={setMark} />
      {data.pushDevices.length > 0 && (
        <ul className="border-t border-line">
          {data.pushDevices.map((it) => (
            <Device key={it.id} it={it} here={it === here} />
          ))}
        </ul>
      )}
    </>
  );
}

type ThisBrowserProps = { vapidKey: string; on: boolean; onMark: (mark: string | null) => void };

function ThisBrowser({ vapidKey, on, onMark }: ThisBrowserProps) {
  const t = useTranslate();
  const submit = useSubmit();
  const [state, setState] = useState<PushState | "unknown" | "busy" | "failed">("unknown");
  useEffect(() => {
    const look = async () => {
      setState(await getPushState());
      onMark(await getSubscriptionMark());
    };
    void look();
  }, [onMark]);
  const begin = async () => {
    setState("busy");
    const { state: now, subscription } = await enablePush(vapidKey);
    setState(now);
    if (!subscription) return;
    onMark(await getSubscriptionMark());
    await submit({ intent: "push-on", ...subscription }, { method: "post", preventScrollReset: true });
  };
  if (state === "unknown")
    return (
      <noscript>
        <p>{t("Push notifications need JavaScript in your browser.")}</p>
      </noscript>
    );
  if (state === "unsupported")
    return (
      <p>
        {t(
          "This browser does not support push notifications here. " +
            "On a phone or tablet, add this site to the home screen first.",
        )}
      </p>
    );
  if (state === "denied")
    return <p>{t("Notifications are blocked in this browser. Allow them in its settings for this site.")}</p>;
  if (on) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind="primary" onClick={() => void begin()} aria-disabled={state === "busy" || undefined}>
        {state === "busy" ? t("Asking your browser…") : t("Turn on push notifications in this browser")}
      </Button>
      <p role="status">{state === "failed" && t("That did not work. Try again later.")}</p>
    </div>
  );
}

type DeviceProps = {
  it: SettingsSectionProps<"notifications">["data"]["pushDevices"][number];
  here: boolean;
};

function Device({ it, here }: DeviceProps) {
  const t = useTranslate();
  const leave = (event: FormEvent<HTMLFormElement>) => {
    const pressed = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    if (here && pressed instanceof HTMLButtonElement && pressed.value === "push-off") void disablePush();
  };
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">
          {it.device || t("Unknown device")} {here && <Tag>{t("This device")}</Tag>}
        </p>
        <p className="text-small text-quiet">
          {it.showsText ? t("Shows sender and content.") : t("Shows only that there is a notification.")}{" "}
          <Rich text="Turned on <0></0>." parts={{ 0: <Time at={it.createdAt} /> }} />
        </p>
      </div>
      <Form method="post" preventScrollReset className="flex flex-wrap gap-2" onSubmit={leave}>
        <input type="hidden" name="id" value={it.id} />
        <SubmitButton
          kind="plain"
          busy={t("Saving…")}
          name="intent"
          value={it.showsText ? "push-quiet" : "push-text"}
        >
          {it.showsText ? t("Hide details") : t("Show sender and content")}
        </SubmitButton>
        <SubmitButton kind="plain" busy={t("Turning off…")} name="intent" value="push-off">
          {t("Turn off")}
        </SubmitButton>
      </Form>
    </li>
  );
}
