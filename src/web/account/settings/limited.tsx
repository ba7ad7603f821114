import type { OwnSanction } from "#community/people";
import { Link } from "../../ui/link.tsx";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import { Sanction } from "../sanction.tsx";

/** Notice to limited people: why, and until when. */
export function Limited({ sanction }: { sanction: OwnSanction }) {
  const t = useWords();
  return (
    <div className="mb-6 grid gap-2">
      <Sanction {...sanction} />
      <p>
        <Link to={urls.loginPage("standing")}>{t("How your account stands")}</Link>
      </p>
    </div>
  );
}
