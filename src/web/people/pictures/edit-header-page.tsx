import { redirect } from "react-router";
import { HEADER_STYLES } from "#community/common";
import { createProfilePictureStore } from "#community/accounts";
import { requireMember } from "../../auth-middleware.ts";
import { ButtonLink, HeaderPicture, PageHeader, pageMeta } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/edit-header-page";
import { ActionForm } from "../action-form.tsx";
import { BackgroundChoice } from "./background-choice.tsx";
import { HeaderPreview } from "./header-preview.tsx";
import { getOwnProfile } from "../profile/get-own-profile.ts";
import { PictureForm } from "./picture-form.tsx";
import { PictureAltForm } from "./picture-alt-form.tsx";
import { receivePicture } from "./receive-picture.ts";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ db, viewer, params }) => {
  const { id, about } = await getOwnProfile(db, viewer, params["id"]);
  return { id, header: about!.header, styles: HEADER_STYLES };
});

export const action = defineAction(async ({ db, app, viewer, form, params }) => {
  const { id } = await getOwnProfile(db, viewer, params["id"]);
  const pictures = createProfilePictureStore(app);
  const intent = form.get("intent");
  if (intent === "describe") await pictures.describeHeader(viewer, id, String(form.get("words") ?? ""));
  else if (intent === "remove") await pictures.removeHeader(viewer, id);
  else if (intent === "set-background") await pictures.setHeaderStyle(viewer, id, String(form.get("style")));
  else await pictures.setHeader(viewer, id, await receivePicture(form));
  return redirect(urls.person(id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Your cover picture"),
  hidden: true,
}));

const SHAPE = { width: 1500, height: 500 };

export default function EditHeader({ loaderData: { id, header, styles } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Your cover picture")}
        lead={t("The cover above your profile: a picture or a background.")}
        actions={<ButtonLink to={urls.person(id)}>{t("Back to profile")}</ButtonLink>}
      />
      <section aria-labelledby="now" className="mb-8">
        <h2 id="now" className="sr-only">
          {t("Current")}
        </h2>
        <HeaderPicture headerId={header.id} style={header.style} alt={header.alt} />
        {header.id && <PictureAltForm alt={header.alt} />}
        {header.id && (
          <div className="mt-3">
            <ActionForm intent="remove" fields={{}} kind="danger" busy={t("Removing…")}>
              {t("Remove picture")}
            </ActionForm>
          </div>
        )}
      </section>
      <section aria-labelledby="picture" className="mb-8">
        <h2 id="picture" className="mb-3 text-large font-semibold">
          {t("A picture")}
        </h2>
        <PictureForm
          shape={SHAPE}
          alt={header.id ? header.alt : ""}
          save={t("Save picture")}
          frame="wide"
          Preview={HeaderPreview}
          send={urls.sendPicture(id, "header")}
          then={urls.person(id)}
        />
      </section>
      <BackgroundChoice styles={styles} chosen={header.style} />
    </>
  );
}
