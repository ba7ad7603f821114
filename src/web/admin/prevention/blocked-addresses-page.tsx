import { redirect } from "react-router";
import {
  blockAddress,
  type BlockedAddress,
  BlockedAddressForm,
  listBlockedAddresses,
  unblockAddress,
} from "#community/prevention";
import { notFound } from "#platform/refusal";
import { parseForm, readQueryParam } from "../../form-parsing.ts";
import { useTranslate } from "../../i18n/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { ButtonLink, EmptyState, ListSearch, NextPageLink, PageHeader, pageMeta } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { urls } from "../../urls.ts";
import type { Route } from "./+types/blocked-addresses-page";
import { BlockedAddressInputs } from "./blocked-address-inputs.tsx";
import { BlockedAddressRow } from "./blocked-address-row.tsx";

export const loader = defineLoader(async ({ ctx, db, viewer, url }) => {
  ctx.headers["cache-control"] = "no-store";
  const search = readQueryParam(url, "search");
  const page = await listBlockedAddresses(db, viewer, { search, after: readQueryParam(url, "after") });
  return { ...page, search, now: ctx.now, saved: readQueryParam(url, "saved", 20) };
});

export const action = defineAction(async ({ app, ctx, viewer, form }) => {
  const intent = form.get("intent");
  if (intent === "remove") {
    await app.database.inTransaction((tx) => unblockAddress(tx, viewer, String(form.get("id"))));
    return redirect(urls.blockedAddresses({ saved: "removed" }));
  }
  if (intent !== "add") throw notFound();
  const address = parseForm(BlockedAddressForm, form);
  await app.database.inTransaction((tx) => blockAddress(tx, viewer, address, ctx.from.address));
  return redirect(urls.blockedAddresses({ saved: "added" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Blocked addresses"),
  hidden: true,
}));

export default function BlockedAddressesPage({ loaderData }: Route.ComponentProps) {
  const t = useTranslate();
  const { rows, next, search, now, saved } = loaderData;
  const isAnswered = useFormResult() !== undefined;
  return (
    <>
      <PageHeader
        title={t("Blocked addresses")}
        lead={t(
          "Nobody can register with these, even with an invitation. Existing members can still sign in.",
        )}
      />
      <p role="status" className="text-accent empty:hidden">
        {!isAnswered && saved === "added" && t("The address was blocked.")}
        {!isAnswered && saved === "removed" && t("The block was removed.")}
      </p>
      <section aria-labelledby="new-address" className="mt-4">
        <h2 id="new-address" className="mb-3 font-serif text-large font-semibold">
          {t("Block an address")}
        </h2>
        <BlockedAddressInputs />
      </section>
      <section aria-labelledby="addresses" className="mt-8">
        <h2 id="addresses" className="mb-3 font-serif text-large font-semibold">
          {t("Blocks")}
        </h2>
        {(rows.length > 10 || search !== "" || next) && (
          <ListSearch
            label={t("Search blocked addresses")}
            hint={t("Search blocked addresses")}
            search={search}
            className="mb-4"
          />
        )}
        <BlockedAddressList {...{ rows, now }} isSearch={search !== ""} />
        <NextPageLink to={next && urls.blockedAddresses({ search, after: next })} />
      </section>
    </>
  );
}

type ListProps = { rows: BlockedAddress[]; now: Date; isSearch: boolean };

function BlockedAddressList({ rows, now, isSearch }: ListProps) {
  const t = useTranslate();
  if (rows.length === 0 && isSearch)
    return (
      <EmptyState
        title={t("No results.")}
        action={<ButtonLink to={urls.blockedAddresses()}>{t("Show all")}</ButtonLink>}
      />
    );
  if (rows.length === 0)
    return (
      <EmptyState title={t("No blocked addresses.")}>
        {t("For example a provider of throw-away email addresses.")}
      </EmptyState>
    );
  return (
    <ul className="border-t border-line">
      {rows.map((row) => (
        <BlockedAddressRow key={row.id} row={row} now={now} />
      ))}
    </ul>
  );
}
