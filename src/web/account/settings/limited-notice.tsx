import type { OwnSanction } from "#community/accounts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { SanctionNotice } from "../sanction-notice.tsx";

/** Notice to people whose account is limited, with the reason and the end of the limitation. */
export function LimitedNotice({ sanction }: { sanction: OwnSanction }) {
  const t = useTranslate();
  return (
    <div className="mb-6 grid gap-2">
      <SanctionNotice {...sanction} />
      <p>
        <Link to={urls.loginPage("standing")}>{t("Account status")}</Link>
      </p>
    </div>
  );
}
