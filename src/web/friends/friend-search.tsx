import { Form, useRouteLoaderData } from "react-router";
import { LIMITS } from "#community/rules";
import type { ShellData } from "../layouts/default.tsx";
import { ChoiceLink, SubmitButton, Tabs, TextField, ListSearch } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

/** `waiting`: number of friend requests, if this page's number is more recent than the layout's. */
export function FriendTabs({ tab, waiting }: { tab: string; waiting: number | undefined }) {
  const t = useTranslate();
  const shell = useRouteLoaderData<ShellData>("layouts/default");
  return (
    <Tabs
      label={t("Friends and requests")}
      tabs={[
        { to: urls.friends(), label: t("Friends"), current: tab === "friends" },
        {
          to: urls.friends({ tab: "received" }),
          label: t("Requests received"),
          current: tab === "received",
          count: waiting ?? shell?.badges.friendRequests,
        },
        { to: urls.friends({ tab: "sent" }), label: t("Sent"), current: tab === "sent" },
        { to: urls.friends({ tab: "suggestions" }), label: t("Suggestions"), current: tab === "suggestions" },
      ]}
    />
  );
}

type FriendQuery = { search: string; sort: "name" | "active" };

export function FriendSearch({ search, sort }: FriendQuery) {
  const t = useTranslate();
  const sortParam = sort === "active" ? sort : undefined;
  return (
    <>
      <ListSearch
        label={t("Search your friends")}
        hint={t("Name or username")}
        search={search}
        hiddenFields={{ sort: sortParam }}
        className="mt-4"
      />
      <SortLinks search={search} sort={sort} />
    </>
  );
}

function SortLinks({ search, sort }: FriendQuery) {
  const t = useTranslate();
  const orders = [
    ["name", t("A–Z")],
    ["active", t("Recently active")],
  ] as const;
  return (
    <nav aria-label={t("Order")} className="mt-3 flex gap-1 text-small">
      {orders.map(([value, label]) => (
        <ChoiceLink
          key={value}
          to={urls.friends({ search, sort: value === "name" ? undefined : value })}
          current={value === sort}
        >
          {label}
        </ChoiceLink>
      ))}
    </nav>
  );
}

/** Form to send a friend request by user name. */
export function AddFriend() {
  const t = useTranslate();
  return (
    <section className="mt-8 border-t border-line pt-5" aria-labelledby="add-friend">
      <h2 id="add-friend" className="text-large font-semibold">
        {t("Add a friend by username")}
      </h2>
      <p className="text-quiet">
        {t(
          "A profile shows the username after the @. The other person sees your name and note; you " +
            "are not notified if they decline.",
        )}
      </p>
      <Form method="post" className="mt-3 grid max-w-md gap-3" preventScrollReset>
        <TextField
          name="username"
          label={t("Username")}
          required
          maxLength={50}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoComplete="off"
        />
        <TextField
          name="note"
          label={t("A note (optional)")}
          maxLength={LIMITS.friendNote}
          dir="auto"
          autoComplete="off"
        />
        <div>
          <SubmitButton busy={t("Sending…")} name="intent" value="request-by-name">
            <i className="icon icon-user-plus size-4" />
            {t("Send request")}
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
