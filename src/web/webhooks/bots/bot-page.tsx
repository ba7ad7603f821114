import { Form, redirect } from "react-router";
import {
  type Bot,
  BotForm,
  deleteBot,
  getBot,
  removeBotPhoto,
  renameBot,
  setBotPhoto,
} from "#community/bots";
import { getGroup } from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { chooseAction, parseForm, readQueryParam } from "../../form-parsing.ts";
import { useTranslate } from "../../i18n/index.ts";
import { ActionForm } from "../../people/action-form.tsx";
import { PhotoPreview } from "../../people/pictures/photo-preview.tsx";
import { PictureForm } from "../../people/pictures/picture-form.tsx";
import { receivePicture } from "../../people/pictures/receive-picture.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import {
  Avatar,
  ButtonLink,
  PageHeader,
  pageMeta,
  RefusalNotice,
  SubmitButton,
  TextField,
} from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { WebhookSections } from "../webhook-sections.tsx";
import type { Route } from "./+types/bot-page";

const PHOTO_SIZE = { width: 400, height: 400 };

export const loader = defineLoader(async ({ db, viewer, params, url }) => {
  const { id, slug } = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  const bot = await getBot(db, viewer, { groupId: id, botId: params["botId"]! });
  return { slug, bot, saved: readQueryParam(url, "saved", 20) };
});

type Target = { groupId: string; botId: string };
const COMMANDS: Record<string, (tx: Tx, viewer: Viewer, target: Target, form: FormData) => Promise<void>> = {
  rename: (tx, viewer, target, form) => renameBot(tx, viewer, { ...parseForm(BotForm, form), ...target }),
  "remove-photo": removeBotPhoto,
  delete: deleteBot,
};

export const action = defineAction(async ({ app, db, viewer, form, params }) => {
  const group = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  const target = { groupId: group.id, botId: params["botId"]! };
  const intent = String(form.get("intent"));
  if (intent === "save") await setBotPhoto(app, viewer, target, await receivePicture(form));
  else {
    const command = chooseAction(COMMANDS, form);
    await app.database.inTransaction((tx) => command(tx, viewer, target, form));
  }
  return redirect(
    intent === "delete" ? urls.bots(group.slug) : urls.bot(group.slug, target.botId, { saved: intent }),
  );
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((loaded, t) => ({
  title: t("Bot {name}", { name: loaded?.bot.name ?? "" }),
  hidden: true,
}));

/** Name and photo of a bot, and its deletion. */
export default function BotPage({ loaderData: { slug, bot, saved } }: Route.ComponentProps) {
  const t = useTranslate();
  const done = saved === "create" ? t("The bot was created.") : saved ? t("Saved") : "";
  return (
    <>
      <PageHeader
        title={<bdi>{bot.name}</bdi>}
        actions={<ButtonLink to={urls.incomingWebhooks(slug)}>{t("Incoming webhooks")}</ButtonLink>}
      />
      <WebhookSections slug={slug} current={null} />
      <RefusalNotice except={["rename", "save"]} />
      <p role="status" className="mb-3 text-accent empty:hidden">
        {done}
      </p>
      <Form method="post" className="mb-8 grid max-w-2xl grid-cols-1 gap-4">
        <input type="hidden" name="intent" value="rename" />
        <TextField
          name="name"
          label={t("Name")}
          hint={t("Shown beside its posts, with the mark “Bot”.")}
          defaultValue={bot.name}
          required
          maxLength={LIMITS.displayName}
          autoComplete="off"
          dir="auto"
        />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Save")}</SubmitButton>
        </div>
      </Form>
      <BotPhoto bot={bot} />
      <section aria-labelledby="danger" className="mt-8 border-t border-line py-6">
        <h2 id="danger" className="sr-only">
          {t("Delete bot")}
        </h2>
        <details>
          <summary className="text-red">{t("Delete bot")}</summary>
          <p className="mt-2 mb-3">
            {t("Its incoming webhooks are deleted too. Its posts stay, with its name.")}
          </p>
          <ActionForm intent="delete" fields={{}} busy={t("Deleting…")} kind="danger">
            {t("Delete bot")}
          </ActionForm>
        </details>
      </section>
    </>
  );
}

function BotPhoto({ bot }: { bot: Bot }) {
  const t = useTranslate();
  return (
    <section aria-labelledby="photo" className="border-t border-line py-6">
      <h2 id="photo" className="mb-3 font-serif text-large font-semibold">
        {t("Photo")}
      </h2>
      <div className="mb-5 flex flex-wrap items-center gap-4">
        <Avatar person={bot} size={96} />
        {bot.photoId && (
          <ActionForm intent="remove-photo" fields={{}} kind="danger" busy={t("Removing…")}>
            {t("Remove photo")}
          </ActionForm>
        )}
      </div>
      <PictureForm
        shape={PHOTO_SIZE}
        alt={bot.photoAlt}
        save={t("Save photo")}
        frame="round"
        Preview={PhotoPreview}
      />
    </section>
  );
}
