import { Form, redirect } from "react-router";
import { BotForm, createBot, listBots } from "#community/bots";
import { getGroup } from "#community/groups";
import { LIMITS } from "#community/rules";
import { parseForm } from "../../form-parsing.ts";
import { useTranslate } from "../../i18n/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import {
  Avatar,
  ButtonLink,
  EmptyState,
  FormErrors,
  PageHeader,
  pageMeta,
  SubmitButton,
  Tag,
  TextField,
} from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { WebhookSections } from "../webhook-sections.tsx";
import type { Route } from "./+types/bots-page";

export const loader = defineLoader(async ({ db, viewer, params }) => {
  const { id, slug, name } = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  return { group: { slug, name }, bots: await listBots(db, viewer, { groupId: id }) };
});

export const action = defineAction(async ({ app, db, viewer, form, params }) => {
  const group = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  const input = { ...parseForm(BotForm, form), groupId: group.id };
  const { id } = await app.database.inTransaction((tx) => createBot(tx, viewer, input));
  return redirect(urls.bot(group.slug, id, { saved: "create" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Bots"),
  hidden: true,
}));

/** Bots of a group, and a form for a new one. */
export default function BotsPage({ loaderData: { group, bots } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Bots")}
        lead={t("A bot posts messages of other programs in {group}.", { group: group.name })}
        actions={<ButtonLink to={urls.manageGroup(group.slug, "webhooks")}>{t("Manage group")}</ButtonLink>}
      />
      <WebhookSections slug={group.slug} current="bots" />
      {bots.length === 0 && (
        <EmptyState title={t("No bots yet.")}>
          {t("For example, a bot that reports finished builds.")}
        </EmptyState>
      )}
      <ul className="border-t border-line empty:hidden" aria-label={t("Bots")}>
        {bots.map((bot) => (
          <li key={bot.id} className="flex items-center gap-3 border-b border-line py-3" data-item>
            <Avatar person={bot} size={40} />
            <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <Link to={urls.bot(group.slug, bot.id)} className="font-semibold break-words">
                <bdi>{bot.name}</bdi>
              </Link>
              <Tag>{t("Bot")}</Tag>
            </p>
          </li>
        ))}
      </ul>
      <section aria-labelledby="new-bot" className="mt-8 border-t border-line py-6">
        <h2 id="new-bot" className="mb-3 font-serif text-large font-semibold">
          {t("New bot")}
        </h2>
        <Form method="post" className="grid max-w-2xl grid-cols-1 gap-4">
          <FormErrors />
          <TextField
            name="name"
            label={t("Name")}
            hint={t("Shown beside its posts, with the mark “Bot”.")}
            required
            maxLength={LIMITS.displayName}
            autoComplete="off"
            dir="auto"
          />
          <div>
            <SubmitButton busy={t("Creating…")}>{t("Create bot")}</SubmitButton>
          </div>
        </Form>
      </section>
    </>
  );
}
