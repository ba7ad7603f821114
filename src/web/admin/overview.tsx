import { readFile, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { ReactNode } from "react";
import { overviewFor } from "#community/overview";
import { PageHead, pageMeta } from "../ui/index.ts";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/overview";
import { assertAdmin } from "./only-admins.ts";
import { useFigures } from "./overview-figures.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, viewer, visit, house }) => {
  assertAdmin(viewer);
  visit.headers["cache-control"] = "no-store";
  // The imports folder is created on first use; its parent always exists.
  const disk = await statfs(dirname(house.imports)).catch(() => null);
  const free = disk && disk.bavail * disk.bsize;
  return { ...(await overviewFor(db, viewer, visit.now)), freeBytes: free, version: await versionHere() };
});

/** The version in the folder that this process was started from. */
const versionHere = async (): Promise<string> => (JSON.parse(await readFile("package.json", "utf8")) as { version: string }).version;

export type OverviewPage = Route.ComponentProps["loaderData"];
export const meta = pageMeta<OverviewPage>((_data, t) => ({ title: t("Administration"), hidden: true }));

export default function OverviewPage({ loaderData }: Route.ComponentProps) {
  const t = useWords();
  const parts = useFigures(loaderData);
  return (
    <>
      <PageHead title={t("Administration")} lead={t("How the place is doing, and all that you look after.")} />
      {parts.map(({ title, figures }) => (
        <Part key={title} title={title}>
          <dl className="grid grid-cols-2 gap-x-4 gap-y-3 phone:grid-cols-4">
            {figures.map(({ what, how, to }) => (
              <div key={what} className="flex flex-col-reverse justify-end">
                <dt className="text-small text-quiet">{to ? <Link to={to}>{what}</Link> : what}</dt>
                <dd className="text-title font-semibold tabular-nums">{how}</dd>
              </div>
            ))}
          </dl>
        </Part>
      ))}
      <Part title={t("What you look after")}>
        <Rooms />
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8">
      <h2 className="mb-3 text-body font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Rooms() {
  const t = useWords();
  const rooms: [string, string][] = [
    [urls.siteSettings(), t("Settings of the place")],
    [urls.accounts(), t("Accounts")],
    [urls.moderation(), t("Reports")],
    [urls.groupsDesk(), t("Groups that wait")],
    [urls.audit(), t("What was done")],
    [urls.profileFields(), t("Profile fields")],
    [urls.newAnnouncement(), t("Announcement")],
    [urls.searchMisses(), t("Searched and not found")],
    [urls.programs(), t("Programs")],
    [urls.logs(), t("Logs")],
    [urls.failures(), t("What has failed")],
    [urls.imports(), t("Imports")],
  ];
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-2 phone:grid-cols-3">
      {rooms.map(([to, words]) => (
        <li key={to}>
          <Link to={to}>{words}</Link>
        </li>
      ))}
    </ul>
  );
}
