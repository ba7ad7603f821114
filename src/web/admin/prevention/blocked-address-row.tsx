import type { BlockedAddress, BlockedAddressKind } from "#community/prevention";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonLink, Tag, Time } from "../../ui/index.ts";

/** A blocked address: its reason and end, and who added it. */
export function BlockedAddressRow({ row, now }: { row: BlockedAddress; now: Date }) {
  const t = useTranslate();
  const { id, kind, value, reason, endsAt, createdAt, createdBy } = row;
  const kinds: Record<BlockedAddressKind, string> = {
    domain: t("Email domain"),
    email: t("Email address"),
    network: t("Network"),
  };
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="min-w-0 font-semibold break-all">{value}</bdi>
          <Tag>{kinds[kind]}</Tag>
          {endsAt && endsAt <= now && <Tag>{t("Ended")}</Tag>}
        </p>
        <p dir="auto" className="break-words">
          {reason}
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-quiet">
          {createdBy && <PersonLink person={createdBy} size={20} />}
          <Time at={createdAt} />
          {endsAt && endsAt > now && (
            <span>
              <Rich text="ends <0></0>" parts={{ 0: <Time at={endsAt} /> }} />
            </span>
          )}
        </p>
      </div>
      <ActionForm
        intent="remove"
        fields={{ id }}
        kind="danger"
        busy={t("One moment…")}
        label={t("Unblock {address}", { address: value })}
      >
        {t("Unblock")}
      </ActionForm>
    </li>
  );
}
