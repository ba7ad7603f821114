import type { ReactNode } from "react";
import type { AccessToken } from "#community/accounts";
import type { TokenArea } from "#community/rules";
import { keysOf } from "#platform/objects";
import { useLocale, useTranslate } from "../../../i18n/index.ts";
import { ActionForm } from "../../../people/action-form.tsx";
import { Tag, useRootData } from "../../../ui/index.ts";
import { useTimeZone } from "../../../ui/hooks/use-time-zone.ts";
import { dateFormat } from "../../../ui/text/intl-formats.ts";

/** Labels of all areas, in the order of the form. */
export function useAreaLabels(): Record<TokenArea, string> {
  const t = useTranslate();
  return {
    profile: t("Profile and friends"),
    groups: t("Groups"),
    discussions: t("Discussions"),
    events: t("Events"),
    messages: t("Messages"),
    resources: t("Resources"),
    moderation: t("Moderation"),
  };
}

/** A token with its scopes, expiry and last use, and a button that revokes it after a confirmation. */
export function TokenRow({ token, owner }: { token: AccessToken; owner?: ReactNode }) {
  const t = useTranslate();
  const { now } = useRootData();
  const { id, name, expiresAt } = token;
  const expired = expiresAt !== null && new Date(expiresAt).getTime() <= now;
  return (
    <li className="flex items-start gap-3 border-b border-line py-3" data-item data-token={id}>
      <i className="icon icon-key-round size-5 mt-0.5 flex-none text-quiet" />
      <div className="min-w-0 flex-1">
        {owner}
        <p className="font-semibold break-words">
          <span dir="auto">{name}</span> {expired && <Tag>{t("Expired")}</Tag>}
        </p>
        <p className="text-small">
          <TokenScopes scopes={token.scopes} />
          {token.groupCount !== null && (
            <>
              {" · "}
              {t("{count, plural, =0 {no group} one {# group} other {# groups}}", {
                count: token.groupCount,
              })}
              {token.groupNames.length > 0 && (
                <>
                  : <bdi>{token.groupNames.join(", ")}</bdi>
                </>
              )}
            </>
          )}
        </p>
        <p className="text-small text-quiet">
          <TokenDates token={token} expired={expired} />
        </p>
        <details className="mt-1">
          <summary className="text-small text-red" aria-label={t("Revoke “{name}”", { name })}>
            {t("Revoke")}
          </summary>
          <p className="mt-2 mb-3">
            {t("Programs that use this token lose access at once. This cannot be undone.")}
          </p>
          <ActionForm intent="revoke-access" fields={{ id }} kind="danger" busy={t("Revoking…")}>
            {t("Revoke token")}
          </ActionForm>
        </details>
      </div>
    </li>
  );
}

/** The areas of a token, such as “Groups (read) · Discussions (read and write)”. */
function TokenScopes({ scopes }: Pick<AccessToken, "scopes">) {
  const t = useTranslate();
  const labels = useAreaLabels();
  return keysOf(labels)
    .flatMap((area) => {
      if (area === "moderation") return scopes.includes("moderation:write") ? [labels.moderation] : [];
      if (scopes.includes(`${area}:write`)) return [t("{area} (read and write)", { area: labels[area] })];
      return scopes.includes(`${area}:read`) ? [t("{area} (read)", { area: labels[area] })] : [];
    })
    .join(" · ");
}

function TokenDates({ token, expired }: { token: AccessToken; expired: boolean }) {
  const t = useTranslate();
  const locale = useLocale();
  const timeZone = useTimeZone();
  const { createdAt, expiresAt, usedOn, usedFrom } = token;
  const dateOf = (at: Date | string, zone?: string) =>
    dateFormat(locale, { dateStyle: "medium", timeZone: zone }).format(new Date(at));
  const expiry =
    expiresAt === null
      ? t("does not expire")
      : expired
        ? t("expired on {date}", { date: dateOf(expiresAt, timeZone) })
        : t("expires on {date}", { date: dateOf(expiresAt, timeZone) });
  // The day of the last use is stored without a time, in UTC.
  const use =
    usedOn === null
      ? t("not used yet")
      : t("last used on {date}", { date: dateOf(`${usedOn}T00:00:00Z`, "UTC") });
  return (
    <>
      {t("Created on {date}", { date: dateOf(createdAt, timeZone) })} · {expiry} · {use}{" "}
      {usedFrom && <bdi>({usedFrom})</bdi>}
    </>
  );
}
