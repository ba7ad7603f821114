import { ActionForm } from "../people/action-form.tsx";
import { useTranslate } from "../i18n/index.ts";

type Texts = { title: string; replace: string; afterReplacing: string; afterDeleting: string };

/** Forms that replace the secret of a webhook and delete the webhook. Each asks for confirmation. */
export function ReplaceAndDelete({ title, replace, afterReplacing, afterDeleting }: Texts) {
  const t = useTranslate();
  return (
    <section aria-labelledby="danger" className="border-t border-line py-6">
      <h2 id="danger" className="mb-3 font-serif text-large font-semibold">
        {title}
      </h2>
      <details className="mb-2">
        <summary>{replace}</summary>
        <p className="mt-2 mb-3">{afterReplacing}</p>
        <ActionForm intent="rotate" fields={{}} busy={t("Replacing…")}>
          {replace}
        </ActionForm>
      </details>
      <details>
        <summary className="text-red">{t("Delete webhook")}</summary>
        <p className="mt-2 mb-3">{afterDeleting}</p>
        <ActionForm intent="delete" fields={{}} busy={t("Deleting…")} kind="danger">
          {t("Delete webhook")}
        </ActionForm>
      </details>
    </section>
  );
}
