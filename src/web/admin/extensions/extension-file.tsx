import type { PartInfo, TimerState } from "#baas/extensions";
import { Time } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

export type ExtensionPartView = {
  key: string;
  kind: PartInfo["kind"];
  name: string;
  about: string;
  at: string | null;
  state: TimerState | null;
};

/** One extension file with everything it provides. */
export function ExtensionFile({ file, parts }: { file: string; parts: ExtensionPartView[] }) {
  return (
    <section aria-label={file} className="border-t border-line py-6">
      <h2 dir="ltr" className="mb-2 font-serif text-large font-semibold break-all">
        {file}
      </h2>
      <ul>
        {parts.map((part) => (
          <ExtensionPartRow key={part.key} part={part} />
        ))}
      </ul>
    </section>
  );
}

function ExtensionPartRow({ part: { kind, name, about, at, state } }: { part: ExtensionPartView }) {
  const t = useTranslate();
  const KINDS = { service: t("Service"), event: t("Event"), timer: t("Timer"), hook: t("Hook") };
  return (
    <li className="border-b border-line py-2">
      <span className="text-small text-quiet">{KINDS[kind]}</span>{" "}
      <bdi dir="ltr" className="font-mono text-small font-semibold break-all">
        {name}
      </bdi>
      {about && <p dir="auto">{about}</p>}
      {at && (
        <p className="text-small text-quiet">
          <bdi dir="ltr" className="font-mono">
            {at}
          </bdi>{" "}
          (UTC) <TimerStatus state={state} />
        </p>
      )}
    </li>
  );
}

function TimerStatus({ state }: { state: TimerState | null }) {
  const t = useTranslate();
  if (!state?.lastAt) return <>· {t("Not run yet.")}</>;
  return (
    <>
      · {t("Last:")} <Time at={state.lastAt} />
      {state.tookMs !== null && (
        <> · {t("{count, plural, one {# millisecond} other {# milliseconds}}", { count: state.tookMs })}</>
      )}
      {state.fault === null ? (
        <> · {t("Succeeded.")}</>
      ) : (
        <span className="block text-red" dir="auto">
          {state.fault}
        </span>
      )}
    </>
  );
}
