import { redirect } from "react-router";
import {
  type LinkDomain,
  LinkDomainForm,
  listLinkDomains,
  removeLinkDomain,
  saveLinkDomain,
} from "#community/prevention";
import { notFound } from "#platform/refusal";
import { parseForm, readQueryParam } from "../../form-parsing.ts";
import { useTranslate } from "../../i18n/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { ButtonLink, EmptyState, ListSearch, NextPageLink, PageHeader, pageMeta } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import type { Route } from "./+types/link-domains-page";
import { LinkDomainInputs } from "./link-domain-inputs.tsx";
import { LinkDomainRow } from "./link-domain-row.tsx";

export const loader = defineLoader(async ({ ctx, db, viewer, url }) => {
  ctx.headers["cache-control"] = "no-store";
  const search = readQueryParam(url, "search");
  const page = await listLinkDomains(db, viewer, { search, after: readQueryParam(url, "after", 1000) });
  return { ...page, search, saved: readQueryParam(url, "saved", 20) };
});

export const action = defineAction(async ({ app, viewer, form }) => {
  const intent = form.get("intent");
  if (intent === "remove") {
    await app.database.inTransaction((tx) => removeLinkDomain(tx, viewer, String(form.get("domain"))));
    return redirect(urls.linkDomains({ saved: "removed" }));
  }
  if (intent !== "save") throw notFound();
  const domain = parseForm(LinkDomainForm, form);
  await app.database.inTransaction((tx) => saveLinkDomain(tx, viewer, domain));
  return redirect(urls.linkDomains({ saved: "saved" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Link domains"),
  hidden: true,
}));

/** Domains that members cannot link to, or only with approval. */
export default function LinkDomainsPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { rows, next, search, saved } = loaderData;
  const isAnswered = useFormResult() !== undefined;
  return (
    <>
      <PageHeader
        title={t("Link domains")}
        lead={t(
          "Links to these domains are checked in posts, comments, resources, events, groups, profiles and private " +
            "messages. Moderators and admins are exempt.",
        )}
      />
      <p role="status" className="text-accent empty:hidden">
        {!isAnswered && saved === "saved" && t("The domain was saved.")}
        {!isAnswered && saved === "removed" && t("The domain was removed.")}
      </p>
      <section aria-labelledby="new-domain" className="mt-4">
        <h2 id="new-domain" className="mb-3 font-serif text-large font-semibold">
          {t("Add a domain")}
        </h2>
        <LinkDomainInputs />
      </section>
      <section aria-labelledby="domains" className="mt-8">
        <h2 id="domains" className="mb-3 font-serif text-large font-semibold">
          {t("Domains")}
        </h2>
        {(rows.length > 10 || search !== "" || next) && (
          <ListSearch
            label={t("Search domains")}
            hint={t("Search domains")}
            search={search}
            className="mb-4"
          />
        )}
        <LinkDomainList rows={rows} isSearch={search !== ""} />
        <NextPageLink to={next && urls.linkDomains({ search, after: next })} />
      </section>
    </>
  );
}

function LinkDomainList({ rows, isSearch }: { rows: LinkDomain[]; isSearch: boolean }) {
  const t = useTranslate();
  if (rows.length === 0 && isSearch)
    return (
      <EmptyState
        title={t("No results.")}
        action={<ButtonLink to={urls.linkDomains()}>{t("Show all")}</ButtonLink>}
      />
    );
  if (rows.length === 0)
    return (
      <EmptyState title={t("No link domains.")}>
        {t("For example a shop that is advertised often.")}
      </EmptyState>
    );
  return (
    <ul className="border-t border-line">
      {rows.map((row) => (
        <LinkDomainRow key={row.domain} row={row} />
      ))}
    </ul>
  );
}
