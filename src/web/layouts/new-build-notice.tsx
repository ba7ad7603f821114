import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { hasNewBuild, onNewBuild } from "../client/build-watch.ts";
import { useTranslate } from "../i18n/index.ts";

/** Notice that the server runs a newer build. The next navigation then loads a whole document. */
export function NewBuildNotice() {
  const t = useTranslate();
  const [waiting, setWaiting] = useState(false);
  const { pathname, search, hash } = useLocation();
  const [first] = useState(pathname + search);
  useEffect(() => onNewBuild(() => setWaiting(true)), []);
  useEffect(() => {
    if (hasNewBuild() && pathname + search !== first) location.assign(pathname + search + hash);
  }, [pathname, search, hash, first]);
  if (!waiting) return null;
  return (
    <p className="systembar" role="status">
      {t("A newer version is ready. It loads with the next page you open.")}
    </p>
  );
}
