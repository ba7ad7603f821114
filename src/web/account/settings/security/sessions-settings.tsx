import { Form } from "react-router";
import { SubmitButton, Tag, Time } from "../../../ui/index.ts";
import { useTranslate } from "../../../i18n/index.ts";
import type { SettingsSectionProps } from "../settings-data.ts";
import { SettingsForm } from "../settings-form.tsx";

export function SessionsSettings(part: SettingsSectionProps<"security">) {
  const t = useTranslate();
  const { sessions, thisSession, saved } = part.data;
  const others = sessions.length - 1;
  return (
    <>
      <p role="status" className="text-accent empty:hidden">
        {saved === "end-session" && t("The session was signed out.")}
        {saved === "end-others" && t("You were signed out everywhere else.")}
      </p>
      <ul className="border-t border-line">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} current={session.id === thisSession} />
        ))}
      </ul>
      {others > 0 && (
        <SettingsForm
          {...part}
          intent="end-others"
          kind="danger"
          save={t("Sign out everywhere else")}
          busy={t("Signing out…")}
        >
          <p className="text-quiet">
            {t("If you do not recognise a session, sign it out and change your password.")}
          </p>
        </SettingsForm>
      )}
    </>
  );
}

function SessionRow({
  session,
  current,
}: {
  session: SettingsSectionProps<"security">["data"]["sessions"][number];
  current: boolean;
}) {
  const t = useTranslate();
  const icon = session.sessionKind === "web" ? "icon-laptop" : "icon-terminal";
  return (
    <li
      className="flex items-center gap-3 border-b border-line py-2.5"
      data-session={current ? "this" : "other"}
    >
      <i className={`icon ${icon} size-5 text-quiet`} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">
          {session.device || t("Unknown device")} {current && <Tag>{t("This device")}</Tag>}{" "}
          {session.sessionKind === "api" && <Tag>{t("API client")}</Tag>}
        </p>
        <p className="text-small text-quiet">
          {t("Last seen")} <Time at={session.seenAt} /> · {t("since")} <Time at={session.createdAt} />
        </p>
      </div>
      {!current && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="end-session" />
          <SubmitButton kind="plain" busy={t("Ending session…")} name="id" value={session.id}>
            {t("End session")}
          </SubmitButton>
        </Form>
      )}
    </li>
  );
}
