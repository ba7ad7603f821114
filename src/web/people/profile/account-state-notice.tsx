import type { AccountEntry } from "#community/accounts";
import { useAccountStateLabels } from "../../admin/people/account-labels.ts";
import { ButtonLink, Notice, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/** Shows staff the person's sanction with its reason and end, and a link to the account's history. */
export function AccountStateNotice({
  account: { id, state, reason, until, canDecide },
}: {
  account: AccountEntry;
}) {
  const t = useTranslate();
  const states = useAccountStateLabels();
  return (
    <div className="mt-4 px-4">
      <Notice>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="min-w-0 break-words">
            {t("Visible to staff only. Account: {state}", { state: states[state] })}
            {until && (
              <>
                {" · "}
                <Rich text="until <0></0>" parts={{ 0: <Time at={until} /> }} />
              </>
            )}
            {reason && (
              <span dir="auto" className="block">
                {reason}
              </span>
            )}
          </p>
          {canDecide && <ButtonLink to={urls.accounts({ who: id })}>{t("Account and history")}</ButtonLink>}
        </div>
      </Notice>
    </div>
  );
}
