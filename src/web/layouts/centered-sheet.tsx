import type { ReactNode } from "react";
import { useRootData } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";

/** A centred sheet over the community's header picture, without navigation: for sign-in and registration. */
export function CenteredSheet({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  const t = useTranslate();
  const { community } = useRootData();
  return (
    <div className="sheet-page">
      <a href="#main" className="skip">
        {t("Skip to content")}
      </a>
      <img
        className="sheet-cover"
        src={urls.ground(community.ground ?? "meadow")}
        alt=""
        width={1500}
        height={500}
      />
      <div className="row-start-2 pb-8">
        <div className="sheet-card panel" data-wide={wide || undefined}>
          <header className="mb-4">
            <Link
              to={urls.home()}
              className="brand font-serif font-semibold text-quiet no-underline hover:underline"
            >
              {community.name}
            </Link>
          </header>
          <main id="main" tabIndex={-1} className="outline-none">
            {children}
          </main>
        </div>
      </div>
      <footer className="row-start-3 p-5 text-center text-small text-quiet">
        <Link to={urls.rules()} className="text-quiet">
          {t("Rules")}
        </Link>{" "}
        ·{" "}
        <Link to={urls.privacy()} className="text-quiet">
          {t("Privacy")}
        </Link>
      </footer>
    </div>
  );
}
