import { type FormEvent, useEffect, useState } from "react";
import { Form, useSubmit } from "react-router";
import { Button, SubmitButton, Tag, Time } from "../../../ui/index.ts";
import { useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps, SettingsData } from "../../account-settings-page.tsx";
import { getSubscriptionMark, type PushState, getPushState, disablePush, enablePush } from "./push-subscription.ts";

/** Push notifications of this and other browsers. Enabling needs scripts; disabling does not. */
export function PushSettings({ data }: SettingsSectionProps) {
  const t = useTranslate();
  const [mark, setMark] = useState<string | null>(null);
  const here = data.pushDevices.find((it) => it.mark === mark);
  return (
    <>
      <p className="text-quiet">
        {t("What concerns you, told by your browser, also while this page is closed. Nobody is asked before pressing the button.")}
      </p>
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
        <p>{t("To switch it on, your browser has to run scripts.")}</p>
      </noscript>
    );
  if (state === "unsupported") return <p>{t("This browser cannot be told, or only once this page is on its home screen.")}</p>;
  if (state === "denied")
    return <p>{t("This browser was told to let nothing through. You can change that in its own settings for this site.")}</p>;
  if (on) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button kind="primary" onClick={() => void begin()} aria-disabled={state === "busy" || undefined}>
        {state === "busy" ? t("Asking your browser…") : t("Tell me on this browser")}
      </Button>
      <p role="status">{state === "failed" && t("That did not work. Please try again later.")}</p>
    </div>
  );
}

type DeviceProps = { it: SettingsData["pushDevices"][number]; here: boolean };

function Device({ it, here }: DeviceProps) {
  const t = useTranslate();
  const leave = (event: FormEvent<HTMLFormElement>) => {
    const pressed = (event.nativeEvent as SubmitEvent).submitter;
    if (here && pressed instanceof HTMLButtonElement && pressed.value === "push-off") void disablePush();
  };
  return (
    <li className="flex flex-wrap items-center gap-3 border-b border-line py-2.5">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">
          {it.device || t("Unknown device")} {here && <Tag>{t("This one")}</Tag>}
        </p>
        <p className="text-small text-quiet">
          {it.showsText ? t("Shows who wrote what.") : t("Says only that there is something.")} {t("since")} <Time at={it.createdAt} />
        </p>
      </div>
      <Form method="post" preventScrollReset className="flex flex-wrap gap-2" onSubmit={leave}>
        <input type="hidden" name="id" value={it.id} />
        <SubmitButton kind="plain" busy={t("Saving…")} name="intent" value={it.showsText ? "push-quiet" : "push-text"}>
          {it.showsText ? t("Do not show what") : t("Show who and what")}
        </SubmitButton>
        <SubmitButton kind="plain" busy={t("Ending…")} name="intent" value="push-off">
          {t("End it")}
        </SubmitButton>
      </Form>
    </li>
  );
}
