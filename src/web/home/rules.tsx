import { htmlOf } from "#platform/markup";
import { Empty, PageHead, pageMeta, Prose, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/rules";

export const loader = reading(async ({ visit, house }) => {
  showing(visit, "settings");
  const { rules, rulesVersion } = await house.settings.get();
  return { html: htmlOf(rules), version: rulesVersion };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Rules"), canonical: urls.rules() }));

export default function Rules({ loaderData: { html, version } }: Route.ComponentProps) {
  const t = useWords();
  const { community } = useRoot();
  return (
    <>
      <PageHead title={t("Rules")} lead={t("What we have agreed on in {name}. Version {version}.", { name: community.name, version })} />
      {html ? (
        <>
          <h2 className="sr-only">{t("The rules")}</h2>
          <Prose html={html} />
        </>
      ) : (
        <Empty title={t("No rules have been written down yet.")}>{t("Be kind to each other.")}</Empty>
      )}
    </>
  );
}
