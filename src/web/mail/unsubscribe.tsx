import { Form } from "react-router";
import { resumeMail, stopFor, stopMail } from "#community/mailing";
import { Heading } from "../account/pages/heading.tsx";
import { pageMeta, SubmitButton } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/unsubscribe";

/**
 * For people with a link from a mail, signed in or not. GET changes nothing, since mail scanners follow
 * links.
 */
export const loader = reading(async ({ house, db, params }) => {
  const { scope, stopped, all } = await stopFor(db, house.signer, params["token"] ?? "");
  return { about: all ? "all" : scope === "kind:programs" ? "programs" : scope.split(":", 1)[0]!, stopped };
});

/**
 * Mail clients post `List-Unsubscribe=One-Click` here and get a response at once, without a redirect (RFC
 * 8058). Repeating it changes nothing.
 */
export const action = acting(async ({ house, params, form }) => {
  const token = params["token"] ?? "";
  const wish = form.get("wish");
  await house.database.inTransaction((tx) =>
    wish === "resume" ? resumeMail(tx, house.signer, token) : stopMail(tx, house.signer, token, wish === "all"),
  );
  return null;
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Mail from here"), hidden: true }));

export default function Unsubscribe({ loaderData: { about, stopped } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <Heading title={t("Mail from here")}>
        <p role="status">{stopped ? <Stopped about={about} /> : <Coming about={about} />}</p>
      </Heading>
      <Form method="post" className="grid gap-3">
        {stopped ? (
          <Choice wish="resume">{t("Write to me again")}</Choice>
        ) : (
          <>
            <Choice wish="stop">{t("No more mail about this")}</Choice>
            <Choice wish="all">{t("No more mail at all")}</Choice>
          </>
        )}
      </Form>
      <p className="mt-5 text-small text-quiet">
        {t("About your account’s safety we write in any case.")} <a href={urls.home()}>{t("To the start page")}</a>
      </p>
    </>
  );
}

const Choice = ({ wish, children }: { wish: string; children: string }) => (
  <SubmitButton name="wish" value={wish} busy={children} kind={wish === "all" ? "quiet" : undefined}>
    {children}
  </SubmitButton>
);

function Coming({ about }: { about: string }) {
  const t = useWords();
  if (about === "discussion") return t("You get mail about a discussion.");
  if (about === "conversation") return t("You get mail about a conversation.");
  if (about === "group") return t("You get mail about a group.");
  if (about === "digest") return t("You get a summary of what you have not read.");
  if (about === "programs") return t("You get mail that programs of this community send.");
  return t("You get mail about what concerns you here.");
}

function Stopped({ about }: { about: string }) {
  const t = useWords();
  if (about === "discussion") return t("You get no more mail about this discussion.");
  if (about === "conversation") return t("You get no more mail about this conversation.");
  if (about === "group") return t("You get no more mail about this group.");
  if (about === "digest") return t("You get no more such summaries.");
  if (about === "programs") return t("You get no more mail that programs send.");
  if (about === "all") return t("You get no more mail.");
  return t("You get no more of such mail.");
}
