import { data } from "react-router";
import { renderSVG } from "uqr";
import { sendTestEmail } from "#community/accounts";
import { setLogo } from "#community/settings";
import { CommunitySetup, setUpCommunity } from "#community/setup";
import { Refusal } from "#platform/refusal";
import { getClientInfo, setSessionCookies } from "../account/sign-in/complete-sign-in.ts";
import { parseForm } from "../form-parsing.ts";
import { receivePicture } from "../people/pictures/receive-picture.ts";
import type { RequestContext } from "../request-context.ts";
import { urls } from "../urls.ts";

export type SetupReadyData = {
  ready: {
    community: string;
    email: string;
    /** First group, with the invite link, which only this response contains. */
    group: { name: string; slug: string; link: string; qr: string } | null;
    /** Whether the logo was refused; everything else is stored. */
    lacksLogo: boolean;
  };
};

/** Sets the community up, signs the first admin in and sends a test email. */
export async function completeSetup(ctx: RequestContext, token: string, form: FormData) {
  const { app } = ctx;
  const setup = parseForm(CommunitySetup, form);
  const picture = form.get("picture");
  const logo = picture instanceof File && picture.size > 0 ? await receivePicture(form) : null;
  const { admin, signIn, group } = await setUpCommunity(app, token, setup, getClientInfo(ctx));
  if (signIn.kind === "signed-in") setSessionCookies(ctx, signIn.session);
  const lacksLogo = logo !== null && (await isRefused(setLogo(app, admin, logo.bytes)));
  await isRefused(sendTestEmail(app, admin));
  return data<SetupReadyData>({
    ready: {
      community: setup.community,
      email: setup.email,
      group: group && {
        name: setup.groupName,
        slug: group.slug,
        ...createLinkWithCode(app.origin() + urls.invite(group.token)),
      },
      lacksLogo,
    },
  });
}

const createLinkWithCode = (link: string) => ({ link, qr: renderSVG(link, { ecc: "M", border: 2 }) });

/** Whether the work was refused. The set-up itself is complete without it. */
async function isRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}
