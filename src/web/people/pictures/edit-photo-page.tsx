import { redirect } from "react-router";
import { createProfilePictureStore } from "#community/accounts";
import { requireMember } from "../../auth-middleware.ts";
import { Avatar, ButtonLink, PageHeader, pageMeta } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/edit-photo-page";
import { ActionForm } from "../action-form.tsx";
import { getOwnProfile } from "../profile/get-own-profile.ts";
import { PhotoPreview } from "./photo-preview.tsx";
import { PictureForm } from "./picture-form.tsx";
import { PictureAltForm } from "./picture-alt-form.tsx";
import { receivePicture } from "./receive-picture.ts";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, params }) => {
  const { id, name, photoId, photoAlt } = await getOwnProfile(db, viewer, params["id"]);
  return { person: { id, name, photoId }, alt: photoAlt };
});

export const action = defineAction(async ({ db, app, viewer, form, params }) => {
  const { id } = await getOwnProfile(db, viewer, params["id"]);
  const pictures = createProfilePictureStore(app);
  const intent = form.get("intent");
  if (intent === "describe") await pictures.describePhoto(viewer, id, String(form.get("words") ?? ""));
  else if (intent === "remove") await pictures.removePhoto(viewer, id);
  else await pictures.setPhoto(viewer, id, await receivePicture(form));
  return redirect(urls.person(id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Your photo"),
  hidden: true,
}));

const SHAPE = { width: 400, height: 400 };

export default function EditPhoto({ loaderData: { person, alt } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Your photo")}
        lead={t("Shown beside everything you write.")}
        actions={<ButtonLink to={urls.person(person.id)}>{t("Back to profile")}</ButtonLink>}
      />
      <section aria-labelledby="now" className="mb-6 flex flex-wrap items-center gap-4">
        <h2 id="now" className="sr-only">
          {t("Current")}
        </h2>
        <Avatar person={person} size={96} alone />
        {person.photoId ? (
          <ActionForm intent="remove" fields={{}} kind="danger" busy={t("Removing…")}>
            {t("Remove photo")}
          </ActionForm>
        ) : (
          <p className="max-w-[40ch] text-quiet">{t("Without a photo, your initials are shown.")}</p>
        )}
      </section>
      {person.photoId && <PictureAltForm alt={alt} />}
      <PictureForm
        shape={SHAPE}
        alt={person.photoId ? alt : ""}
        save={t("Save photo")}
        frame="round"
        Preview={PhotoPreview}
        send={urls.sendPicture(person.id, "photo")}
        then={urls.person(person.id)}
      />
    </>
  );
}
